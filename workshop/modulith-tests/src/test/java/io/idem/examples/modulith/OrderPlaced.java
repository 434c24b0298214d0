package io.idem.examples.modulith;

import org.springframework.modulith.events.Externalized;

@Externalized("orders")
record OrderPlaced(String id, String item) {}
