"""Manual regions of GSPMD, between conversions to one device and back."""
