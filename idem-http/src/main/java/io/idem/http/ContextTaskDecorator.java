package io.idem.http;

import io.idem.IdempotencyContext;
import org.springframework.core.task.TaskDecorator;

/**
 * Has tasks that idempotent work hands to an executor see its {@link IdempotencyContext#current()}. Declare it as a bean for Spring Boot's
 * executors ({@code @Async} methods among them), or set it on one's own. A task that outlives the work sees a context that is no longer
 * owner. Thread-safe.
 */
public final class ContextTaskDecorator implements TaskDecorator {

    @Override
    public Runnable decorate(Runnable task) {
        return IdempotencyContext.current()
                .<Runnable>map(context -> () -> run(context, task))
                .orElse(task);
    }

    private static void run(IdempotencyContext context, Runnable task) {
        IdempotencyContext.Binding binding = context.bind();
        try {
            task.run();
        } finally {
            binding.close();
        }
    }
}
