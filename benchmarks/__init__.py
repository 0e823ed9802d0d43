"""Speed, each figure beside a named peer measured in the same run. No test depends on it."""
