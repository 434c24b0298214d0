package io.idem.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.internal.operations.AskedKey;
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
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * The operators' endpoint for records. Writes need {@code management.endpoint.idempotency.access=unrestricted}. Results,
 * those of steps included, are never shown.
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
@ConditionalOnMissingBean(IdempotencyEndpoint.class)
record IdempotencyEndpoint(
        IdempotencyStore store,
        ScopeRegistry scopes,
        ScopePolicies policies,
        DeferredKeys waiting,
        RecentEvents recent,
        RecordOperator operator,
        DeadLetterRedriver redriver,
        ObjectProvider<RecordLister> lister,
        ObjectProvider<UnsentMessages> outboxes) {

    static final int MOST = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyEndpoint.class);

    /** Returns the records of a key in all announced scopes, with their steps, or, without a key, what this process knows. */
    @ReadOperation
    Object report(@Nullable String key, @Nullable String tenant) {
        return answer(() -> {
            if (key == null) {
                return OperatorReport.ofProcess(scopes, waiting, recent, outboxes.stream());
            }
            IdempotencyKey asked = key(tenant, key, known -> !records(known).isEmpty());
            return OperatorReport.ofKey(asked, records(asked));
        });
    }

    private List<ShownRecord> records(IdempotencyKey key) {
        List<RecordSnapshot> announced = store.inspectAll(key);
        // A store that lost its data does not know the scopes of this application before they are announced again.
        Stream<RecordSnapshot> own = scopes.scopes().stream()
                .filter(scope ->
                        announced.stream().noneMatch(record -> record.scope().equals(scope)))
                .flatMap(scope -> store.inspect(new RecordId(key, scope)).stream());
        return Stream.concat(announced.stream(), own)
                .map(record -> {
                    RecordId id = new RecordId(key, record.scope());
                    return ShownRecord.of(key.id(), record, operator.steps(id), recent.failuresOf(id));
                })
                .toList();
    }

    /** Returns records in one state, from a bounded part of the store at a time. */
    @ReadOperation
    Object list(@Selector String state, @Nullable String cursor, @Nullable String limit) {
        return answer(() -> {
            RecordState wanted = constant(RecordState.class, state);
            int most = Math.max(1, Math.min(MOST, number(limit, 100)));
            RecordLister listing = lister.getIfAvailable(() -> {
                throw new IllegalArgumentException(
                        "The records of this store cannot be listed; ask for them by their keys");
            });
            return OperatorReport.listing(
                    listing.list(Objects.requireNonNullElse(cursor, RecordLister.START), most), wanted);
        });
    }

    /**
     * Releases, completes or reopens one record, or redrives a dead letter.
     *
     * @param from the queue or topic of dead letters, for a redrive
     * @param transport the broker, for a redrive
     * @param limit the number of messages to look at, for a redrive
     */
    @WriteOperation
    Object act(
            SecurityContext caller,
            @Nullable String action,
            @Nullable String key,
            @Nullable String tenant,
            @Nullable String scope,
            @Nullable String reason,
            @Nullable String from,
            @Nullable String transport,
            @Nullable String limit) {
        return answer(() -> {
            Scope of = new Scope(given("scope", scope));
            RecordId record = new RecordId(
                    key(
                            tenant,
                            given("key", key),
                            known -> store.inspect(new RecordId(known, of)).isPresent()),
                    of);
            OperatorAct.Action wanted = constant(OperatorAct.Action.class, given("action", action));
            String why = given("reason", reason);
            if (wanted != OperatorAct.Action.REDRIVE) {
                require(
                        wanted == OperatorAct.Action.ERASE
                                || scopes.scopes().contains(of)
                                || policies.scopes().contains(of),
                        "This application has no such scope; it has " + scopes.scopes()
                                + ". Ask the application that has it, or set idem.scopes." + of + ".retention as there");
                return OperatorReport.act(operator.act(wanted, record, name(caller), why));
            }
            DeadLetterRedriver.Order order = new DeadLetterRedriver.Order(
                    record, Objects.requireNonNullElse(from, ""), transport, number(limit, MOST));
            return OperatorReport.redrive(redriver.redrive(order, name(caller), why));
        });
    }

    private static String given(String name, @Nullable String value) {
        require(value != null, name + " is missing");
        return Objects.requireNonNull(value);
    }

    private static int number(@Nullable String limit, int otherwise) {
        require(limit == null || limit.matches("-?[0-9]{1,9}"), "limit " + limit + " is not a number");
        return limit == null ? otherwise : Integer.parseInt(limit);
    }

    private static String name(SecurityContext caller) {
        return caller.getPrincipal() == null
                ? "anonymous"
                : caller.getPrincipal().getName();
    }

    private static IdempotencyKey key(@Nullable String tenant, String key, Predicate<IdempotencyKey> known) {
        return AskedKey.of(Objects.requireNonNullElse(tenant, IdempotencyKey.DEFAULT_TENANT), key, known);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is none of " + List.of(type.getEnumConstants()), unknown);
        }
    }

    /** Returns the answer of a call, or why there is none: Spring Boot's own answer to an exception leaves that out. */
    private static Object answer(Supplier<Object> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException | InvalidKeyException refused) {
            return refused(refused, WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (RuntimeException failure) {
            LOG.warn("The endpoint idempotency could not answer", failure);
            return refused(failure, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private static WebEndpointResponse<Map<String, String>> refused(RuntimeException why, int status) {
        return new WebEndpointResponse<>(Map.of("why", Objects.requireNonNullElse(why.getMessage(), why.toString())), status);
    }
}
