package io.idem.examples.modulith;

record ShipmentDue(String order, String item) {}
