"""What GSPMD computes on each device, between conversions to one device and back."""
