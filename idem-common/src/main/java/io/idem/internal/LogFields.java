package io.idem.internal;

import io.idem.IdempotencyContext.Binding;
import io.idem.Lease;
import io.idem.RecordId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The key's digest, scope, fence and attempt of work as fields of SLF4J's context, for every line that is logged
 * wherever the work's context is bound.
 */
public final class LogFields {

    /** The digest of the key. */
    public static final String KEY = "idem.key";

    /** The scope of the work. */
    public static final String SCOPE = "idem.scope";

    /** The fence of the grant. Missing for work of the inbox alone that has not asked for it, which would cost a query. */
    public static final String FENCE = "idem.fence";

    /** The number of the grant. */
    public static final String ATTEMPT = "idem.attempt";

    private LogFields() {}

    /**
     * Adds the fields to the calling thread's context. The binding restores those of surrounding work.
     *
     * @param lease the lease of the grant; null if nothing is granted yet
     */
    public static Binding put(RecordId record, @Nullable Lease lease) {
        Map<String, @Nullable String> before = new LinkedHashMap<>();
        values(record, lease).forEach((name, value) -> {
            before.put(name, MDC.get(name));
            MDC.put(name, value);
        });
        return () -> before.forEach(LogFields::restore);
    }

    private static Map<String, String> values(RecordId record, @Nullable Lease lease) {
        Map<String, String> values = new HashMap<>();
        values.put(KEY, record.key().id());
        values.put(SCOPE, record.scope().name());
        if (lease != null) {
            values.put(ATTEMPT, Integer.toString(lease.attempt()));
            if (lease.knownFence() != 0) {
                values.put(FENCE, Long.toString(lease.knownFence()));
            }
        }
        return values;
    }

    private static void restore(String name, @Nullable String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }
}
