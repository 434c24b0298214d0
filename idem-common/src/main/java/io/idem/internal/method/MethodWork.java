package io.idem.internal.method;

import io.idem.AsyncWork;
import io.idem.IdempotencyContext;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.spi.Stages;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The method as a piece of work. Used once. */
final class MethodWork implements Work<Optional<Object>>, AsyncWork<Optional<Object>> {

    private final MethodInvocation invocation;
    private final ResultValues values;
    private volatile boolean ran;

    MethodWork(MethodInvocation invocation, ResultValues values) {
        this.invocation = invocation;
        this.values = values;
    }

    @Override
    public WorkResult<Optional<Object>> run(IdempotencyContext context) throws Exception {
        return done(proceed());
    }

    @Override
    @SuppressWarnings("unchecked")
    public CompletionStage<WorkResult<Optional<Object>>> start(IdempotencyContext context) throws Exception {
        Object stage = proceed();
        return Stages.map(
                stage == null
                        ? CompletableFuture.<@Nullable Object>completedFuture(null)
                        : (CompletionStage<@Nullable Object>) stage,
                this::done);
    }

    private @Nullable Object proceed() throws Exception {
        ran = true;
        try {
            return invocation.proceed();
        } catch (Exception | Error failure) {
            throw failure;
        } catch (Throwable neither) {
            throw new UndeclaredThrowableException(neither);
        }
    }

    private WorkResult<Optional<Object>> done(@Nullable Object value) {
        return new WorkResult.Complete<>(Optional.ofNullable(value), values.encode(value));
    }

    /** Returns whether the method was called. */
    boolean ran() {
        return ran;
    }
}
