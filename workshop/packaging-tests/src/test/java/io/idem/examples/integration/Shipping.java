package io.idem.examples.integration;

import org.springframework.integration.annotation.Gateway;
import org.springframework.integration.annotation.MessagingGateway;

@MessagingGateway
interface Shipping {

    @Gateway(requestChannel = "orders")
    void ship(Order order);
}
