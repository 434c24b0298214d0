package io.idem.demo.report;

import io.idem.demo.story.Exchange;
import java.util.Comparator;

/** An operation as its client names it. */
record OperationName(String tenant, String key) implements Comparable<OperationName> {

    private static final Comparator<OperationName> ORDER =
            Comparator.comparing(OperationName::tenant).thenComparing(OperationName::key);

    static OperationName of(Exchange exchange) {
        return new OperationName(exchange.tenant(), exchange.key());
    }

    @Override
    public int compareTo(OperationName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return tenant + "/" + key;
    }
}
