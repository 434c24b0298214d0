package io.idem.internal.method;

import io.idem.Admission;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyException;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RefusedWorkException;
import io.idem.ResultCodec;
import io.idem.ScopePolicies;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.NotNow;
import io.idem.internal.RawResultCodec;
import io.idem.spi.Stages;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinWorkerThread;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;

/**
 * Decides about calls of {@link io.idem.Idempotent} methods: runs a method once for its key and scope, or answers as the first call did.
 * Thread-safe; blocks the caller, but not for work that ends after its method has returned.
 */
public final class IdempotentMethods {

    /** The name of the bean, which closes after beans with such methods. */
    static final String BEAN = IdempotentMethods.class.getName();

    private final IdempotentExecutor executor;
    private final AsyncIdempotentExecutor async;
    private final ResultCodec codec;
    private final MethodDefinitions definitions;
    private final CallWaits waits;
    private final ThreadLocal<Set<RecordId>> running = ThreadLocal.withInitial(HashSet::new);

    /** Makes the decision for all methods of an application. */
    IdempotentMethods(
            IdempotentExecutor executor,
            AsyncIdempotentExecutor async,
            ObjectProvider<ResultCodec> codec,
            ScopePolicies scopes,
            ObjectProvider<Inbox> inbox,
            ObjectProvider<CallWaits> waits,
            ConfigurableListableBeanFactory beans) {
        this.executor = executor;
        this.async = async;
        this.codec = codec.getIfAvailable(RawResultCodec::new);
        this.waits = waits.getIfAvailable(() -> failure -> false);
        boolean always = executor.inbox().flatMap(Inbox::failures).isPresent();
        boolean off = !scopes.attemptsAreCounted();
        this.definitions = new MethodDefinitions(
                scopes,
                new EmbeddedValueResolver(beans),
                new InboxRules(inbox::getIfAvailable, always, off, MethodConfigurationException::new),
                InstantSource.system());
    }

    MethodDefinitions definitions() {
        return definitions;
    }

    @Nullable Object call(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type =
                target == null ? invocation.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        MethodDefinition definition = definitions.of(invocation.getMethod(), type);
        requireNoOuterTransaction(definition, type, invocation);
        Operation operation = definition.operation(invocation.getArguments());
        RecordId record = operation.record();
        Optional<RecordId> current = IdempotencyContext.current().map(IdempotencyContext::record);
        boolean outermost = running.get().add(record);
        try {
            // While work waits on a thread of a fork-join pool, that thread may run the task of another caller. There
            // the record says that the key is in progress.
            if ((!outermost || current.equals(Optional.of(record)))
                    && !(Thread.currentThread() instanceof ForkJoinWorkerThread)) {
                throw NotNow.ownCall(record);
            }
            return call(definition, operation, invocation);
        } finally {
            if (outermost) {
                running.get().remove(record);
            }
        }
    }

    private @Nullable Object call(MethodDefinition definition, Operation operation, MethodInvocation invocation)
            throws Exception {
        ResultValues values = new ResultValues(codec, definition);
        while (true) {
            MethodWork work = new MethodWork(invocation, values);
            try {
                Object answer = definition.endsLater() ? later(operation, work, values) : now(operation, work, values);
                if (work.ran() || !(answer instanceof CompletableFuture<?> stage) || !paused(failure(stage))) {
                    return answer;
                }
            } catch (IdempotencyException failure) {
                if (work.ran() || !paused(failure)) {
                    throw failure;
                }
            }
        }
    }

    /** Waits only where the call holds no other key: two whose inner calls cross would wait for each other. */
    private boolean paused(@Nullable Throwable failure) {
        return running.get().size() == 1 && waits.pause(failure);
    }

    private static @Nullable Throwable failure(CompletableFuture<?> stage) {
        return stage.<@Nullable Throwable>handle((value, failure) -> failure).getNow(null);
    }

    private static void requireNoOuterTransaction(
            MethodDefinition definition, Class<?> type, MethodInvocation invocation) {
        if (Transactions.areActive()
                && !(invocation instanceof ProxyMethodInvocation call
                        && ProxyLayers.of(call.getProxy()).runApart(definition.method(), type))) {
            throw new RefusedWorkException(
                    definition
                            + " is called inside a transaction that would commit only after the call was recorded as done, and did not"
                            + " run. Call it outside of the transaction, or, unless that is an inbox's, give it @Transactional(propagation = REQUIRES_NEW)");
        }
    }

    private @Nullable Object now(Operation operation, MethodWork work, ResultValues values) throws Exception {
        Outcome<Optional<Object>> outcome = executor.execute(operation, work);
        if (outcome instanceof Outcome.Unrecorded<Optional<Object>> open && operation.inbox() == null) {
            outcome = open.again().get();
        }
        return new CallAnswer(operation.record(), values, work.ran()).of(outcome);
    }

    /** Starts the work on the calling thread, which waits for the grant. All failures end the stage. */
    private CompletableFuture<@Nullable Object> later(Operation operation, MethodWork work, ResultValues values) {
        CompletionStage<Outcome<Optional<Object>>> ended;
        try {
            Admission<Optional<Object>> admission = async.<Optional<Object>>begin(operation)
                    .toCompletableFuture()
                    .join();
            ended = admission instanceof Admission.Granted<Optional<Object>> granted
                    ? async.run(granted.operation(), work)
                    : CompletableFuture.completedStage(((Admission.Answered<Optional<Object>>) admission).outcome());
        } catch (CompletionException failed) {
            return CompletableFuture.failedFuture(FailurePolicy.unwrapped(failed));
        }
        CompletionStage<Outcome<Optional<Object>>> recorded = Stages.compose(
                ended,
                outcome -> outcome instanceof Outcome.Unrecorded<Optional<Object>> open
                        ? async.again(open)
                        : CompletableFuture.completedStage(outcome));
        CallAnswer answer = new CallAnswer(operation.record(), values, work.ran());
        return Stages.<Outcome<Optional<Object>>, @Nullable Object>map(recorded, answer::of)
                .toCompletableFuture();
    }
}
