package io.idem.examples.readings;

record Reading(String meter, long wattHours) {}
