package io.idem.consumer.internal.definition;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** Form in which a listener method returns the end of its work, if that comes after its return. Stateless. */
public interface StageForm {

    /** Named by text, since Reactor may be absent. */
    String MONO = "reactor.core.publisher.Mono";

    /** Returns the form that a method's container understands; empty if its work ends with its return. */
    static Optional<StageForm> of(Method method) {
        if (method.getReturnType() == CompletableFuture.class) {
            return Optional.of(new FutureForm());
        }
        return method.getReturnType().getName().equals(MONO) || KotlinDetector.isSuspendingFunction(method)
                ? Optional.of(new MonoForm())
                : Optional.empty();
    }

    /** Starts lazy work on the calling thread and returns its end. */
    CompletionStage<@Nullable Object> started(Object returned);

    /** Starts the work of a method that may have returned null, and returns its end. */
    default CompletionStage<@Nullable Object> start(@Nullable Object returned) {
        return returned == null ? CompletableFuture.completedStage(null) : started(returned);
    }

    /** Returns the object for the container: never null, for which it would wait for ever. */
    Object of(CompletionStage<@Nullable Object> stage);
}
