package io.idem.consumer.internal.rabbit.send;

import io.idem.IdempotencyContext;
import io.idem.RefusedWorkException;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.rabbit.publish.AwaitedPublications;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import io.idem.internal.method.HiddenMembers;
import io.idem.spi.Stages;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbitmq.client.RabbitAmqpTemplate;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the messages that a {@code RabbitAmqpTemplate} publishes part of the idempotent work that publishes them: they
 * carry keys, and the work waits until the broker has accepted them. An inbox, which cannot keep them, refuses them.
 * Requests, and replies to them, are not awaited. Thread-safe.
 */
public final class AmqpOneSends implements MethodInterceptor {

    private static final MessagePostProcessor HEADERS = new IdempotencyHeadersPostProcessor();

    private final Method conversion =
            HiddenMembers.method(RabbitAmqpTemplate.class, "convertToMessageIfNecessary", Object.class);

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = invocation.getMethod();
        if (!method.getName().startsWith("send") && !method.getName().startsWith("convert")) {
            return invocation.proceed();
        }
        Object template = Objects.requireNonNull(invocation.getThis());
        @Nullable Object[] arguments = invocation.getArguments();
        int body = (int) Arrays.stream(method.getParameterTypes())
                .takeWhile(String.class::equals)
                .count();
        RabbitDestination to = destination(template, Arrays.copyOf(arguments, body));
        Message message =
                (Message) Objects.requireNonNull(ReflectionUtils.invokeMethod(conversion, template, arguments[body]));
        if (arguments.length > body + 1 && arguments[body + 1] instanceof MessagePostProcessor own) {
            message = own.postProcessMessage(message, null, to.exchange(), to.routingKey());
            arguments[body + 1] = null;
        }
        arguments[body] = message;
        Message sent = message;
        Optional<IdempotencyContext> work = BoundContexts.toPublish(() -> to.of(sent));
        if (work.isEmpty()) {
            return invocation.proceed();
        }
        boolean request = method.getName().contains("Receive");
        if (!request && work.get().publications().keeping()) {
            throw new RefusedWorkException("The work of " + work.get().scope().name() + " published a message to " + to
                    + " through a RabbitAmqpTemplate, and its inbox cannot keep such a message until the commit."
                    + " Publish it through a RabbitTemplate bean");
        }
        // A copy: the caller may send the message again as another one.
        arguments[body] =
                HEADERS.postProcessMessage(AwaitedPublications.copy(sent), null, to.exchange(), to.routingKey());
        if (request || to.isGenerated()) {
            return invocation.proceed();
        }
        work.get().publications().requireNoStep();
        CompletableFuture<Object> accepted = new CompletableFuture<>();
        work.get().publications().track(accepted, () -> publish(template, method, arguments));
        Stages.copy(publish(template, method, arguments), accepted);
        return accepted;
    }

    /** Returns where a template publishes to for a caller who names a queue, exchange and routing key, or neither. */
    private static RabbitDestination destination(Object template, @Nullable Object... names) {
        if (names.length == 0) {
            Object exchange = HiddenMembers.read(template, "defaultExchange");
            return exchange == null
                    ? destination(template, HiddenMembers.read(template, "defaultQueue"))
                    : destination(template, exchange, HiddenMembers.read(template, "defaultRoutingKey"));
        }
        // A request names the queue of its reply with this prefix.
        return names.length == 1
                ? new RabbitDestination("", String.valueOf(names[0]).replaceFirst("^queues/", ""))
                : new RabbitDestination(String.valueOf(names[0]), Objects.toString(names[1], ""));
    }

    private static CompletionStage<?> publish(Object template, Method method, @Nullable Object[] arguments) {
        try {
            return (CompletionStage<?>)
                    Objects.requireNonNull(ReflectionUtils.invokeMethod(method, template, arguments));
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }
}
