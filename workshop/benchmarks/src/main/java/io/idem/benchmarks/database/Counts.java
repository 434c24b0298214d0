package io.idem.benchmarks.database;

/**
 * Exact counts of a message.
 *
 * @param commits the commits in the way's database
 * @param roundTrips the round trips to the database
 */
record Counts(double commits, double roundTrips) {}
