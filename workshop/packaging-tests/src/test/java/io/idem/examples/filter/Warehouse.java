package io.idem.examples.filter;

interface Warehouse {

    void ship(Order order);
}
