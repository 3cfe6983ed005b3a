"""Faults of system calls, disks, databases and processes while people play, and what they were promised."""
