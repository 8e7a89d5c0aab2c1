"""From the program of all devices to that of each device."""
