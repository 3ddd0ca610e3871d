"""Poses of wheels over travel, rack and the turning road."""
