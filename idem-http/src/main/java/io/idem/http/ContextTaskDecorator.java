package io.idem.http;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyContext.Binding;
import org.springframework.core.task.TaskDecorator;

/**
 * Binds the {@link IdempotencyContext#current()} of idempotent work in the tasks that the work hands to an executor. Declare a bean of this
 * type for Spring Boot's executors, those of {@code @Async} methods among them, or set it on an executor of your own. A task that
 * outlives the work sees a context that is no longer the owner. Thread-safe.
 */
public final class ContextTaskDecorator implements TaskDecorator {

    @Override
    public Runnable decorate(Runnable task) {
        return IdempotencyContext.current()
                .<Runnable>map(context -> () -> run(context, task))
                .orElse(task);
    }

    private static void run(IdempotencyContext context, Runnable task) {
        try (Binding unused = context.bind()) {
            task.run();
        }
    }
}
