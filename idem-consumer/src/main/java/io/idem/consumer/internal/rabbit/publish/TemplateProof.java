package io.idem.consumer.internal.rabbit.publish;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Publications;
import io.idem.Scope;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.support.ValueExpression;

/** The proof of a template: what it sends inside an inbox, which is one in memory here, comes to idem's channel with a key. */
public record TemplateProof(EquippedTemplate equipped, String beanName, StartProof proof) implements Runnable {

    private static final IdempotencyKey KEY = IdempotencyKey.of("idem-proof");

    /** Settings of a template that let it evaluate or call what the application says. */
    private static final List<String> SETTINGS = List.of(
            "mandatoryExpression", "userIdExpression", "sendConnectionFactorySelectorExpression", "observationEnabled");

    @Override
    public void run() {
        RabbitTemplate template = equipped.template();
        String what = "Template \"" + beanName + "\"";
        Object retries = HiddenMembers.read(template, "retryTemplate");
        List<String> own = ofApplication();
        boolean keeps = retries instanceof InboxSends;
        if (keeps && !own.isEmpty()) {
            proof.tell(what, String.join(", ", own));
        } else {
            proof.reaches(what, template, keeps ? template : retries, () -> {
                try (IdempotencyContext.Binding unused = inbox().bind()) {
                    template.send("", KEY.value(), new Message(new byte[0]));
                }
                return null;
            });
        }
    }

    /** Returns what of the application a send may call. */
    private List<String> ofApplication() {
        RabbitTemplate template = equipped.template();
        Stream<Object> processors = Stream.ofNullable(template.getBeforePublishPostProcessors())
                .flatMap(Collection::stream)
                .filter(one -> one.getClass() != equipped.headers().getClass())
                .map(one -> one instanceof AwaitedPublications awaited ? awaited.own() : one);
        Stream<Object> others = Stream.of(template, HiddenMembers.read(template, "messagePropertiesConverter"));
        List<String> own = new ArrayList<>(
                StartProof.names(Stream.concat(others, processors).filter(Objects::nonNull)));
        if (template.getClass() != RabbitTemplate.class) {
            own.add(template.getClass().getName());
        }
        SETTINGS.stream().filter(this::isSet).forEach(own::add);
        return own;
    }

    private boolean isSet(String name) {
        Object value = HiddenMembers.read(equipped.template(), name);
        return value != null && !value.equals(false) && !(value instanceof ValueExpression);
    }

    private static IdempotencyContext inbox() {
        Scope scope = new Scope(KEY.value());
        ExecutionPolicy policy = ExecutionPolicy.of(ExecutionPolicy.DEFAULT_LEASE, ExecutionPolicy.DEFAULT_RETENTION);
        Publications publications = new Publications(Operation.of(KEY, scope, policy), KEY);
        publications.keeping(true);
        return (IdempotencyContext) Proxy.newProxyInstance(
                IdempotencyContext.class.getClassLoader(),
                new Class<?>[] {IdempotencyContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "key" -> KEY;
                    case "scope" -> scope;
                    case "root" -> KEY.value();
                    case "publications" -> publications;
                    default -> InvocationHandler.invokeDefault(proxy, method, arguments);
                });
    }
}
