package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.ResultPolicy;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.internal.method.StartRefusal;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Start-up check of a listener method that gets many messages at once. */
public record BatchShape(ListenerDefinition listener) implements StartRefusal {

    private static final String ONE_BY_ONE = ", or listen to single messages";

    /**
     * Checks a listener method.
     *
     * @throws ListenerConfigurationException for the first mistake found
     */
    public static void check(ListenerDefinition listener) {
        BatchShape shape = new BatchShape(listener);
        shape.checkMethod(listener.method());
        shape.checkKey();
        shape.checkPolicy();
    }

    private void checkMethod(Method method) {
        refuseIf(
                method.getReturnType() != void.class,
                "gets batches and returns " + method.getReturnType().getSimpleName()
                        + ": a batch has no result of one message, so a duplicate could not be answered, and work that goes on"
                        + " after the method would not be waited for",
                "Return void" + ONE_BY_ONE);
        refuseIf(
                Arrays.stream(method.getParameterTypes())
                        .anyMatch(type -> type == IdempotencyContext.class || type == IdempotencyKey.class),
                "gets batches and takes a parameter that is about one message",
                "Take a List<IdempotencyContext> or List<IdempotencyKey>, or call BoundContexts.current()");
    }

    private void checkKey() {
        refuseIf(
                listener.keys().readsArguments(),
                "gets batches, and its " + listener.keys() + " asks for arguments: those are about the whole batch",
                "Use headers, message, or JSON pointers in keyFields" + ONE_BY_ONE);
    }

    private void checkPolicy() {
        refuseIf(
                listener.inbox() != null && listener.inbox().failures().isPresent(),
                "gets batches, and with idem.store=inbox each message has a row and a transaction of its own",
                "Choose another idem.store" + ONE_BY_ONE);
        refuseIf(
                listener.inbox() != null,
                "gets batches and asks for an inbox, which has one row and one transaction for each message",
                "Remove inbox = true" + ONE_BY_ONE);
        refuseIf(
                listener.policy().attempts().results() != ResultPolicy.ALL_DONE,
                "gets batches and judges results (rejectIf or retryIf), but a batch has no result of one message",
                "Remove rejectIf and retryIf, and throw instead" + ONE_BY_ONE);
        refuseIf(
                !listener.policy().attempts().backoff().isNone(),
                "gets batches and has a backoff of idem, which would part the messages of a batch",
                "Set backoff = \"0s\" and let the container's error handler retry" + ONE_BY_ONE);
        refuseIf(
                listener.policy().attempts().interruptOnLostLease(),
                "gets batches and asks for interruptOnLostLease: one message's lease would interrupt the work of all",
                "Set interruptOnLostLease = \"false\"" + ONE_BY_ONE);
    }

    @Override
    public RuntimeException refused(String problem, String action) {
        return new ListenerConfigurationException(listener.method(), problem, action);
    }
}
