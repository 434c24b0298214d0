package io.idem.test.example;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** A system elsewhere, which notes the keys that it is called with. */
@Component
class Carrier {

    private final List<String> orders = new ArrayList<>();

    synchronized String order(String key) {
        orders.add(key);
        return "label " + orders.size();
    }

    synchronized List<String> orders() {
        return List.copyOf(orders);
    }

    synchronized void forget() {
        orders.clear();
    }
}
