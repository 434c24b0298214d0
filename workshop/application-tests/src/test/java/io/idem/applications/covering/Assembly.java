package io.idem.applications.covering;

import static java.util.Map.entry;

import io.idem.applications.story.Application;
import io.idem.applications.story.KeyPlace;
import io.idem.applications.story.Outcome;
import io.idem.applications.story.Trait;
import io.idem.applications.story.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

/** Assembles the application of a combination from the classes and the settings of its choices. */
final class Assembly {

    private static final int KILLED_EVERY = 10;
    private static final int QUICK_EVERY = 30;

    private static final Map<Choice, Class<?>> OF_RABBIT = Map.ofEntries(
            entry(Choice.RABBITMQ, RabbitParts.Factories.class),
            entry(Choice.PROGRAMMATIC, RabbitParts.Programmatic.class),
            entry(Choice.FACTORY_BEAN, RabbitParts.FactoryBean.class),
            entry(Choice.FACTORY_THAT_IS_NO_BEAN, RabbitParts.FactoryThatIsNoBean.class),
            entry(Choice.CUSTOMIZED_CONTAINER, RabbitParts.CustomizedContainer.class),
            entry(Choice.OVERRIDDEN_FACTORY, RabbitParts.OverriddenFactory.class),
            entry(Choice.RECOVERER, RabbitParts.Recoverer.class),
            entry(Choice.LISTENER_ERROR_HANDLER, RabbitParts.ListenerErrorHandler.class),
            entry(Choice.CONTAINER_ERROR_HANDLER, RabbitParts.ContainerErrorHandler.class),
            entry(Choice.SEVERAL_CONNECTIONS, RabbitParts.SeveralConnections.class),
            entry(Choice.BOOTS_TEMPLATE, RabbitParts.BootsTemplate.class),
            entry(Choice.TEMPLATE_BEAN, RabbitParts.TemplateBean.class),
            entry(Choice.TEMPLATE_THAT_IS_NO_BEAN, RabbitParts.TemplateThatIsNoBean.class));

    private static final Map<Choice, Class<?>> OF_KAFKA = Map.ofEntries(
            entry(Choice.KAFKA, KafkaParts.Factories.class),
            entry(Choice.PROGRAMMATIC, KafkaParts.Programmatic.class),
            entry(Choice.FACTORY_BEAN, KafkaParts.FactoryBean.class),
            entry(Choice.FACTORY_THAT_IS_NO_BEAN, KafkaParts.FactoryThatIsNoBean.class),
            entry(Choice.CUSTOMIZED_CONTAINER, KafkaParts.CustomizedContainer.class),
            entry(Choice.OVERRIDDEN_FACTORY, KafkaParts.OverriddenFactory.class),
            entry(Choice.RETRY, KafkaParts.Retry.class),
            entry(Choice.RECOVERER, KafkaParts.Recoverer.class),
            entry(Choice.LISTENER_ERROR_HANDLER, KafkaParts.ListenerErrorHandler.class),
            entry(Choice.CONTAINER_ERROR_HANDLER, KafkaParts.ContainerErrorHandler.class),
            entry(Choice.SEVERAL_CONNECTIONS, KafkaParts.SeveralConnections.class),
            entry(Choice.BOOTS_TEMPLATE, KafkaParts.BootsTemplate.class),
            entry(Choice.TEMPLATE_BEAN, KafkaParts.TemplateBean.class),
            entry(Choice.TEMPLATE_THAT_IS_NO_BEAN, KafkaParts.TemplateThatIsNoBean.class));

    private static final Map<Choice, Class<?>> OF_BOTH = Map.of(
            Choice.CGLIB, Proxies.Aspect.class,
            Choice.ASYNC, Proxies.Asynchrony.class,
            Choice.PRE_AUTHORIZE, Proxies.Security.class,
            Choice.TWO_CREATORS, Proxies.SecondCreator.class);

    private static final Map<Choice, List<String>> SETTINGS_OF_RABBIT = Map.of(
            Choice.DIRECT, List.of("spring.rabbitmq.listener.type=direct"),
            Choice.CONCURRENT, List.of("spring.rabbitmq.listener.simple.concurrency=3"),
            Choice.MANUAL, ofContainers("acknowledge-mode=manual"),
            Choice.REJECTED_FAILURES, ofContainers("default-requeue-rejected=false"),
            Choice.RETRY, ofContainers("retry.enabled=true", "retry.max-retries=1", "retry.initial-interval=10ms"),
            Choice.RECOVERER, ofContainers("retry.enabled=true", "retry.max-retries=0"));

    private static final Map<Choice, List<String>> SETTINGS_OF_KAFKA = Map.of(
            Choice.CONCURRENT, List.of("spring.kafka.listener.concurrency=2"),
            Choice.RECORD, List.of("spring.kafka.listener.ack-mode=record"),
            Choice.MANUAL, List.of("spring.kafka.listener.ack-mode=manual"),
            Choice.MANUAL_IMMEDIATE, List.of("spring.kafka.listener.ack-mode=manual_immediate"),
            Choice.RETRY_TOPIC,
                    List.of(
                            "spring.kafka.retry.topic.enabled=true",
                            "spring.kafka.retry.topic.attempts=2",
                            "spring.kafka.retry.topic.backoff.delay=100ms"));

    private static final Map<Choice, List<String>> SETTINGS_OF_BOTH = Map.of(
            Choice.MANUAL, List.of("shop.manual=true"),
            Choice.PROGRAMMATIC, List.of("shop.annotated=false"),
            Choice.LISTENER_ERROR_HANDLER, List.of("shop.error-handler=excuses"),
            Choice.JDK, List.of("spring.aop.proxy-target-class=false"),
            Choice.MESSAGE_ID,
                    List.of("idem.consumer.key-sources=message-id", KeyPlace.SETTING + "=" + KeyPlace.MESSAGE_ID),
            Choice.EXPRESSION_OVER_BODY, List.of("shop.key=#payment", KeyPlace.SETTING + "=" + KeyPlace.BODY),
            Choice.EXPRESSION_OVER_HEADERS,
                    List.of("shop.key=headers['order-id']", KeyPlace.SETTING + "=" + KeyPlace.ORDER_HEADER),
            Choice.VIRTUAL_THREADS, List.of("spring.threads.virtual.enabled=true"));

    /** The row on the page that all generated applications share. */
    private static final String CONFIGURATION =
            "generated applications, in which every two choices of container, acknowledgement mode, factory, error handling,"
                    + " proxies, bean life, connections, template, key and threads meet";

    private final Combination combination;
    private final boolean rabbit;

    private Assembly(Combination combination) {
        this.combination = combination;
        this.rabbit = combination.has(Choice.RABBITMQ);
    }

    static Application of(Combination combination, int number) {
        return new Assembly(combination).application(number);
    }

    private static List<String> ofContainers(String... settings) {
        List<String> all = new ArrayList<>();
        for (String setting : settings) {
            all.add("spring.rabbitmq.listener.simple." + setting);
            all.add("spring.rabbitmq.listener.direct." + setting);
        }
        return List.copyOf(all);
    }

    private Application application(int number) {
        Transport transport = rabbit ? Transport.RABBITMQ : Transport.KAFKA;
        Application application = Application.of(transport, Shop.class, CONFIGURATION, Outcome.PROTECTED)
                .named(transport.title() + " generated " + number + ": " + combination)
                .with(
                        "shop.life=" + combination.get(Dimension.LIFE).name(),
                        "shop.listener=" + listener().getName());
        for (Choice choice : Choice.values()) {
            if (combination.has(choice)) {
                application = with(application, choice);
            }
        }
        if (number % KILLED_EVERY == 1) {
            application = application.is(Trait.KILLED_IN_CI);
        }
        if (number % QUICK_EVERY == 1) {
            application = application.is(Trait.QUICK);
        }
        return combination.has(Choice.TRANSACTIONAL) ? application.is(Trait.DATABASE) : application;
    }

    private Application with(Application application, Choice choice) {
        Application more = application
                .with(SETTINGS_OF_BOTH.getOrDefault(choice, List.of()).toArray(String[]::new))
                .with((rabbit ? SETTINGS_OF_RABBIT : SETTINGS_OF_KAFKA)
                        .getOrDefault(choice, List.of())
                        .toArray(String[]::new));
        for (Map<Choice, Class<?>> parts : List.of(OF_BOTH, rabbit ? OF_RABBIT : OF_KAFKA)) {
            if (parts.containsKey(choice)) {
                more = more.and(parts.get(choice));
            }
        }
        return more;
    }

    /** Returns the listener class for the broker and the key, and in it the nested class for the proxy. */
    private Class<?> listener() {
        boolean expression =
                combination.has(Choice.EXPRESSION_OVER_BODY) || combination.has(Choice.EXPRESSION_OVER_HEADERS);
        Class<?> bySettings = rabbit ? RabbitListeners.class : KafkaListeners.class;
        Class<?> byExpression = rabbit ? RabbitListenersByExpression.class : KafkaListenersByExpression.class;
        String proxied = switch (combination.get(Dimension.PROXY)) {
            case JDK -> "Interfaced";
            case ASYNC -> "Asynchronous";
            case VALIDATED -> "Validating";
            case TRANSACTIONAL -> "InTransaction";
            case PRE_AUTHORIZE -> "Authorized";
            default -> "Plain";
        };
        return ClassUtils.resolveClassName((expression ? byExpression : bySettings).getName() + "$" + proxied, null);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({ListenerBean.class, Work.class})
    static class Shop {}
}
