package io.idem.examples.modulith;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcClient jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    @Transactional
    void place(String id, String item) {
        jdbc.sql("INSERT INTO orders (id, item) VALUES (?, ?)").params(id, item).update();
        events.publishEvent(new OrderPlaced(id, item));
    }
}
