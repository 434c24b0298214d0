package io.idem.demo.report;

import io.idem.demo.story.Exchange;
import io.idem.demo.story.Kind;

/** Creates entries of a client log. */
final class Exchanges {

    private Exchanges() {}

    static Exchange payment(String key, long amount, int status, String body) {
        return new Exchange(Kind.PAYMENT, "north", key, amount, 0, 0, status, "", false, "application/json", "", body);
    }

    static Exchange accepted(String key, long amount) {
        return payment(key, amount, 202, "taken " + key);
    }

    static Exchange replay(String key, long amount) {
        return new Exchange(
                Kind.PAYMENT, "north", key, amount, 0, 0, 202, "", true, "application/json", "", "taken " + key);
    }

    static Exchange hungUp(String key, long amount) {
        return new Exchange(Kind.PAYMENT, "north", key, amount, 0, 0, 0, "hung up", false, "", "", "");
    }
}
