package io.idem.consumer;

import io.idem.IdempotencyContext;
import io.idem.IdempotentExecutor;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.Verdict;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a listener method: key, engine, verdict. Never throws to say "not now". */
final class ListenerCall {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerCall.class);

    private final ListenerDefinition listener;
    private final Delivery delivery;
    private final MethodInvocation invocation;
    private final IdempotentExecutor executor;
    private final ResultBytes results;
    private final ConsumerSettings settings;
    private final ConsumerEvents events;
    private boolean started;
    private boolean finished;
    private int attempt;
    private @Nullable Throwable rejectedBy;

    ListenerCall(
            ListenerDefinition listener,
            Delivery delivery,
            MethodInvocation invocation,
            IdempotentExecutor executor,
            ResultBytes results,
            ConsumerSettings settings,
            ConsumerEvents events) {
        this.listener = listener;
        this.delivery = delivery;
        this.invocation = invocation;
        this.executor = executor;
        this.results = results;
        this.settings = settings;
        this.events = events;
    }

    @Nullable Object decide() throws Throwable {
        delivery.decide(new DeliveryVerdict.Failed());
        Optional<Operation> operation = operation();
        return operation.isPresent() ? run(operation.get()) : withoutKey();
    }

    private Optional<Operation> operation() {
        try {
            return listener.operation(delivery.message(), invocation);
        } catch (InvalidKeyException invalid) {
            events.publish(new ConsumerEvent.KeyInvalid(listener.scope(), transport()));
            LOG.warn(
                    "{} for scope \"{}\" is refused and fails like any poison message: {}",
                    delivery.message(),
                    listener.scope(),
                    invalid.getMessage());
            throw invalid;
        }
    }

    private @Nullable Object withoutKey() throws Throwable {
        events.publish(new ConsumerEvent.KeyMissing(listener.scope(), transport(), listener.missingKey()));
        MissingKeyException missing = new MissingKeyException(
                listener.scope(), delivery.message(), listener.keys().toString());
        if (listener.missingKey() == MissingKeyPolicy.DEAD_LETTER) {
            throw missing;
        }
        LOG.warn(
                "No key in {}; by policy {} for scope \"{}\"",
                delivery.message(),
                listener.missingKey(),
                listener.scope());
        if (listener.missingKey() == MissingKeyPolicy.ACKNOWLEDGE) {
            return verdict(new DeliveryVerdict.Skipped(), null);
        }
        return verdict(new DeliveryVerdict.Ran(), CurrentDelivery.callWithout(invocation::proceed));
    }

    private @Nullable Object run(Operation operation) throws Throwable {
        try {
            return answer(executor.execute(operation, this::work));
        } catch (StoreUnavailableException silent) {
            if (started) {
                throw silent;
            }
            return defer(Duration.ZERO, "the store does not answer: " + silent.getMessage());
        } catch (UnreadableRecordException unreadable) {
            return unreadable(unreadable);
        }
    }

    private @Nullable Object unreadable(UnreadableRecordException unreadable) {
        LOG.error("{}", unreadable.getMessage());
        if (started && !finished) {
            throw unreadable;
        }
        return finished ? verdict(new DeliveryVerdict.Ran(), null) : defer(Duration.ZERO, "its record cannot be read");
    }

    private Verdict<Optional<Object>> work(IdempotencyContext context) throws Exception {
        started = true;
        attempt = context.attempt();
        try {
            Object value =
                    CurrentDelivery.callWithout(new ContextArguments(listener.method(), invocation, context)::proceed);
            Verdict<Optional<Object>> done = new Verdict.Complete<>(Optional.ofNullable(value), results.encode(value));
            finished = true;
            return done;
        } catch (Throwable failure) {
            if (!listener.rejects(failure)) {
                throw unchanged(failure);
            }
            rejectedBy = failure;
            return new Verdict.Reject<>(Optional.empty(), failure.getClass().getName() + ": " + failure.getMessage());
        }
    }

    private static Exception unchanged(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof Exception exception ? exception : new UndeclaredThrowableException(failure);
    }

    private @Nullable Object answer(Outcome<Optional<Object>> outcome) throws Throwable {
        Outcome<Optional<Object>> settled = outcome instanceof Outcome.Unrecorded<Optional<Object>> open
                ? new RecordHold(settings.hold(), delivery.message()::stopping).recorded(open)
                : outcome;
        if (settled instanceof Outcome.Unrecorded<Optional<Object>> open) {
            return defer(listener.policy().lease(), "its effect is durable, but could not be recorded: " + open.why());
        }
        if (settled instanceof Outcome.Terminated<Optional<Object>> terminated) {
            delivery.decide(new DeliveryVerdict.DeadLetter(listener.scope(), terminated.reason(), attempt));
            throw Objects.requireNonNull(rejectedBy);
        }
        if (settled instanceof Outcome.Ran<Optional<Object>> ran) {
            return verdict(new DeliveryVerdict.Ran(), ran.value().orElse(null));
        }
        return notRun((Outcome.NotRun<Optional<Object>>) settled);
    }

    private @Nullable Object notRun(Outcome.NotRun<Optional<Object>> outcome) {
        if (outcome instanceof Outcome.Replayed<Optional<Object>> replayed) {
            events.publish(new ConsumerEvent.Duplicate(listener.scope(), transport()));
            return verdict(new DeliveryVerdict.Duplicate(), results.decode(replayed.result()));
        }
        if (outcome instanceof Outcome.InProgress<Optional<Object>> busy) {
            return defer(busy.retryAfter(), "another owner is at it");
        }
        if (outcome instanceof Outcome.NotYet<Optional<Object>> notYet) {
            return defer(notYet.retryAfter(), "its last attempt asked for a delay");
        }
        return deadLetter(outcome);
    }

    private @Nullable Object deadLetter(Outcome.NotRun<Optional<Object>> outcome) {
        if (outcome instanceof Outcome.Rejected<Optional<Object>> rejected) {
            return deadLetter("rejected before: " + rejected.reason(), 0);
        }
        if (outcome instanceof Outcome.Exhausted<Optional<Object>> exhausted) {
            return deadLetter("all " + exhausted.attempts() + " attempts are used up", exhausted.attempts());
        }
        return deadLetter("its key was used before with another payload", 0);
    }

    private @Nullable Object deadLetter(String reason, int attempts) {
        return verdict(new DeliveryVerdict.DeadLetter(listener.scope(), reason, attempts), null);
    }

    private @Nullable Object defer(Duration retryAfter, String why) {
        return verdict(new DeliveryVerdict.Defer(listener.scope(), retryAfter, why), null);
    }

    private @Nullable Object verdict(DeliveryVerdict verdict, @Nullable Object value) {
        delivery.decide(verdict);
        return value;
    }

    private String transport() {
        return delivery.message().transport();
    }
}
