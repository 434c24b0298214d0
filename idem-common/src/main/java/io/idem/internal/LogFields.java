package io.idem.internal;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds the key's digest, scope, fence and attempt to every line that is logged while work runs, as fields of SLF4J's
 * context, wherever the work's context is bound. The fields of surrounding work are restored at the end. Thread-safe.
 */
public final class LogFields implements ExecutionObserver {

    /** The digest of the key. */
    public static final String KEY = "idem.key";

    /** The scope of the work. */
    public static final String SCOPE = "idem.scope";

    /** The fence of the grant. */
    public static final String FENCE = "idem.fence";

    /** The number of the grant. */
    public static final String ATTEMPT = "idem.attempt";

    @Override
    public ObservedExecution begin(Operation operation) {
        return new Fields(operation.record());
    }

    private static final class Fields implements ObservedExecution {

        private final RecordId record;
        private volatile @Nullable Lease lease;

        Fields(RecordId record) {
            this.record = record;
        }

        @Override
        public void acquired(Claim claim) {
            if (claim instanceof Claim.Granted granted) {
                lease = granted.lease();
            }
        }

        @Override
        public Binding enter() {
            Map<String, @Nullable String> before = new LinkedHashMap<>();
            values().forEach((name, value) -> {
                before.put(name, MDC.get(name));
                MDC.put(name, value);
            });
            return () -> before.forEach(Fields::restore);
        }

        private Map<String, String> values() {
            Lease granted = lease;
            return granted == null
                    ? Map.of(KEY, record.key().id(), SCOPE, record.scope().name())
                    : Map.of(
                            KEY, record.key().id(),
                            SCOPE, record.scope().name(),
                            FENCE, Long.toString(granted.fence()),
                            ATTEMPT, Integer.toString(granted.attempt()));
        }

        private static void restore(String name, @Nullable String value) {
            if (value == null) {
                MDC.remove(name);
            } else {
                MDC.put(name, value);
            }
        }
    }
}
