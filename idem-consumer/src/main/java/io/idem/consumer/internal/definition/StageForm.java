package io.idem.consumer.internal.definition;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** How a listener method hands over the end of its work, if that comes after its return. Stateless. */
public interface StageForm {

    /** By name: Reactor need not be there. */
    String MONO = "reactor.core.publisher.Mono";

    /** The form that a method's container understands; empty if its work ends with its return. */
    static Optional<StageForm> of(Method method) {
        if (method.getReturnType() == CompletableFuture.class) {
            return Optional.of(new FutureForm());
        }
        return method.getReturnType().getName().equals(MONO) || KotlinDetector.isSuspendingFunction(method)
                ? Optional.of(new MonoForm())
                : Optional.empty();
    }

    /** Starts what is lazy, on the calling thread, and answers its end. */
    CompletionStage<@Nullable Object> started(Object returned);

    /** The same for a method that may have returned nothing at all. */
    default CompletionStage<@Nullable Object> start(@Nullable Object returned) {
        return returned == null ? CompletableFuture.completedStage(null) : started(returned);
    }

    /** What the container gets: never null, for which it would wait for ever. */
    Object of(CompletionStage<@Nullable Object> stage);
}
