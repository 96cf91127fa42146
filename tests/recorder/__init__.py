"""Tests of the recorder."""
