"""What a study varies: mechanisms, suspensions, gait."""
