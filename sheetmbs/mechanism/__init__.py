"""Mechanisms: workbooks of bodies, joints and forces, which are one model for each case."""
