package io.idem.examples.integration;

interface Warehouse {

    void ship(Order order);
}
