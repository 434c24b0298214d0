package io.idem.demo.supervisor;

import io.idem.demo.story.Exchange;

/** Describes replies in words. */
final class ReplyText {

    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int UNAVAILABLE = 503;

    private ReplyText() {}

    static String of(Exchange exchange) {
        if (exchange.accepted()) {
            return exchange.status()
                    + (exchange.replayed() ? ", replayed: the first answer, byte for byte" : ": taken");
        }
        return switch (exchange.status()) {
            case 0 -> "no reply";
            case CONFLICT -> "409: another request with this key is under way";
            case UNPROCESSABLE -> "422: this key was used with another amount";
            case UNAVAILABLE -> "503: the store is away, so nothing was run; try again later";
            default -> Integer.toString(exchange.status());
        };
    }
}
