package io.idem.autoconfigure;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.internal.operations.DeferredKeys;
import io.idem.internal.operations.RecentEvents;
import io.idem.internal.operations.ShownRecord;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.operations.ScopeRegistry;
import io.idem.operations.UnsentMessages;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The operators' endpoint for records. Writes need {@code management.endpoint.idempotency.access=unrestricted}. Results,
 * those of steps included, are never shown.
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
final class IdempotencyEndpoint {

    static final int MOST = 1_000;

    private final IdempotencyStore store;
    private final ScopeRegistry scopes;
    private final DeferredKeys waiting;
    private final RecentEvents recent;
    private final RecordOperator operator;
    private final DeadLetterRedriver redriver;
    private final Supplier<@Nullable RecordLister> lister;
    private final ObjectProvider<UnsentMessages> outboxes;

    IdempotencyEndpoint(
            IdempotencyStore store,
            ScopeRegistry scopes,
            DeferredKeys waiting,
            RecentEvents recent,
            RecordOperator operator,
            DeadLetterRedriver redriver,
            Supplier<@Nullable RecordLister> lister,
            ObjectProvider<UnsentMessages> outboxes) {
        this.store = store;
        this.scopes = scopes;
        this.waiting = waiting;
        this.recent = recent;
        this.operator = operator;
        this.redriver = redriver;
        this.lister = lister;
        this.outboxes = outboxes;
    }

    /** Returns the records of a key in all announced scopes, with their steps, or, without a key, what this process knows. */
    @ReadOperation
    OperatorReport report(@Nullable String key, @Nullable String tenant) {
        if (key == null) {
            return OperatorReport.ofProcess(scopes, waiting, recent, outboxes.stream());
        }
        IdempotencyKey asked = key(tenant, key);
        return OperatorReport.ofKey(
                asked,
                store.inspectAll(asked).stream()
                        .map(record -> shown(new RecordId(asked, record.scope()), record))
                        .toList());
    }

    private ShownRecord shown(RecordId id, RecordSnapshot record) {
        return ShownRecord.of(id.key().id(), record, operator.steps(id), recent.failuresOf(id));
    }

    /** Returns records in one state, from a bounded part of the store at a time. */
    @ReadOperation
    OperatorReport.Listing list(@Selector String state, @Nullable String cursor, @Nullable Integer limit) {
        RecordState wanted = constant(RecordState.class, state);
        int most = Math.max(1, Math.min(MOST, Objects.requireNonNullElse(limit, 100)));
        RecordLister listing = lister.get();
        if (listing == null) {
            throw new InvalidEndpointRequestException(
                    "The records of this store cannot be listed; ask for them by their keys", "no listing");
        }
        try {
            return OperatorReport.listing(
                    listing.list(Objects.requireNonNullElse(cursor, RecordLister.START), most), wanted);
        } catch (IllegalArgumentException noCursor) {
            throw refused(noCursor);
        }
    }

    /**
     * Releases, completes or reopens one record, or redrives a dead letter.
     *
     * @param from the queue or topic of dead letters, for a redrive
     * @param transport the broker, for a redrive
     * @param limit the number of messages to look at, for a redrive
     */
    @WriteOperation
    OperatorReport.Act act(
            SecurityContext caller,
            String action,
            String key,
            @Nullable String tenant,
            String scope,
            String reason,
            @Nullable String from,
            @Nullable String transport,
            @Nullable Integer limit) {
        try {
            RecordId record = new RecordId(key(tenant, key), new Scope(scope));
            OperatorAct.Action wanted = constant(OperatorAct.Action.class, action);
            if (wanted != OperatorAct.Action.REDRIVE) {
                return OperatorReport.act(operator.act(wanted, record, name(caller), reason));
            }
            DeadLetterRedriver.Order order = new DeadLetterRedriver.Order(
                    record, Objects.requireNonNullElse(from, ""), transport, Objects.requireNonNullElse(limit, MOST));
            return OperatorReport.redrive(redriver.redrive(order, name(caller), reason));
        } catch (IllegalArgumentException invalid) {
            throw refused(invalid);
        }
    }

    private static String name(SecurityContext caller) {
        return caller.getPrincipal() == null
                ? "anonymous"
                : caller.getPrincipal().getName();
    }

    private static IdempotencyKey key(@Nullable String tenant, String key) {
        try {
            return new IdempotencyKey(Objects.requireNonNullElse(tenant, IdempotencyKey.DEFAULT_TENANT), key);
        } catch (RuntimeException invalid) {
            throw refused(invalid);
        }
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new InvalidEndpointRequestException(
                    "\"" + name + "\" is none of " + List.of(type.getEnumConstants()),
                    "unknown " + type.getSimpleName());
        }
    }

    private static InvalidEndpointRequestException refused(RuntimeException why) {
        return new InvalidEndpointRequestException(String.valueOf(why.getMessage()), "invalid request", why);
    }
}
