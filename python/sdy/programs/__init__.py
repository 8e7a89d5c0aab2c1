"""Programs as users have them: where they come from, and how they are kept."""
