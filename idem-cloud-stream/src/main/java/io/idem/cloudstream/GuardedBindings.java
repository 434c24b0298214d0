package io.idem.cloudstream;

import io.idem.ConfigurationException;
import io.idem.Scope;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.guard.FunctionListeners;
import io.idem.consumer.internal.guard.LibraryVersion;
import io.idem.consumer.internal.guard.ListenerRegistrar;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.internal.spring.BeforeContainers;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.BinderFactory;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.integration.channel.AbstractMessageChannel;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.support.context.NamedComponent;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.ReflectionUtils;

/**
 * The guarded bindings of an application: those of functions whose {@code @Bean} method has an
 * {@link IdempotentListener}, and those that a setting names. Found before any binding is bound.
 */
final class GuardedBindings extends BeforeContainers
        implements FunctionListeners, ApplicationListener<ContextRefreshedEvent> {

    private static final String SETTING = "idem.cloud-stream.bindings.";
    private static final Method WORK =
            Objects.requireNonNull(ReflectionUtils.findMethod(MessageWork.class, "run", Message.class));

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<IdempotentListeners> listeners;
    private final Supplier<ListenerRegistrar> registrar;
    private final BinderEquipment equipment;
    private final Supplier<StartProof> proof;
    private final CloudStreamProperties settings;
    private final Map<String, Guard> guards = new HashMap<>();
    private List<String> annotated = List.of();
    private volatile @Nullable ListenerConfigurationException refusal;

    /**
     * Makes the bindings of an application.
     *
     * @param beans its functions and channels
     * @param listeners needed when the bindings are found
     * @param registrar needed likewise
     * @param proof proves each binding
     */
    GuardedBindings(
            ConfigurableListableBeanFactory beans,
            Supplier<IdempotentListeners> listeners,
            Supplier<ListenerRegistrar> registrar,
            BinderEquipment equipment,
            CloudStreamProperties settings,
            Supplier<StartProof> proof) {
        this.beans = beans;
        this.listeners = listeners;
        this.registrar = registrar;
        this.equipment = equipment;
        this.settings = settings;
        this.proof = proof;
    }

    @Override
    public void guard(List<String> beanNames) {
        annotated = beanNames;
    }

    /**
     * Finds the bindings.
     *
     * @throws ListenerConfigurationException if one that is to be guarded cannot be
     */
    @Override
    protected void prepare() {
        if (guards.isEmpty() && !(annotated.isEmpty() && settings.bindings().isEmpty())) {
            checkVersion(LibraryVersion.of(DefaultBinderFactory.class, "spring-cloud-stream"));
            BoundFunctions functions = BoundFunctions.of(beans);
            annotated.forEach(name -> guardByAnnotation(functions, name));
            settings.bindings().forEach((binding, scope) -> guardBySetting(functions, binding, scope));
            if (!annotated.isEmpty()) {
                functions.checkRouters(guards.keySet());
            }
        }
    }

    /**
     * Refuses versions that do not go with Spring Boot 4.1.
     *
     * @throws ListenerConfigurationException if the version is older than 5.0.2
     */
    static void checkVersion(LibraryVersion version) {
        if (version.isBefore(5, 0, 2)) {
            throw new ListenerConfigurationException(
                    "Spring Cloud Stream " + version.text() + " does not go with Spring Boot 4.1",
                    "Use Spring Cloud 2025.1.2 or newer, which has Spring Cloud Stream 5.0.2 or newer");
        }
    }

    /** @param bean the function, or what stands behind its scoped proxy */
    private void guardByAnnotation(BoundFunctions functions, String bean) {
        IdempotentListener asked = Objects.requireNonNull(beans.findAnnotationOnBean(bean, IdempotentListener.class));
        String function = ScopedProxyUtils.isScopedTarget(bean) ? ScopedProxyUtils.getOriginalBeanName(bean) : bean;
        functions
                .inputsOf(function)
                .forEach(input ->
                        guard(functions, input, asked, functions.maker(bean).orElse(WORK)));
    }

    private void guardBySetting(BoundFunctions functions, String binding, String scope) {
        try {
            var unused = new Scope(scope);
        } catch (IllegalArgumentException invalid) {
            throw new ListenerConfigurationException(
                    SETTING + binding + " is no scope: " + invalid.getMessage(), "Correct the setting", invalid);
        }
        if (!functions.inputs().contains(binding)) {
            throw new ListenerConfigurationException(
                    SETTING + binding + " names no input of a function; the inputs are " + functions.inputs(),
                    "Correct the name, or name the function in spring.cloud.function.definition");
        }
        if (guards.containsKey(binding)) {
            throw new ListenerConfigurationException(
                    SETTING + binding + " names a binding whose function has an @IdempotentListener",
                    "Remove the setting or the annotation");
        }
        IdempotentListener defaults =
                AnnotationUtils.synthesizeAnnotation(Map.of("scope", scope), IdempotentListener.class, null);
        guard(functions, binding, defaults, functions.makerOf(binding).orElse(WORK));
    }

    private void guard(BoundFunctions functions, String binding, IdempotentListener asked, Method named) {
        if (guards.containsKey(binding)) {
            throw new ListenerConfigurationException(
                    "Binding \"" + binding + "\" is composed of several functions with an @IdempotentListener",
                    "Keep one of the annotations: the whole of the composed function is guarded");
        }
        functions.check(binding);
        AbstractMessageChannel input = beans.getBean(binding, AbstractMessageChannel.class);
        ListenerDefinition definition = listeners.get().define(asked, named, WORK);
        registrar.get().register("binding \"" + binding + "\"", transport(binding), definition);
        GuardedBinding guarded = new GuardedBinding(definition, input, listeners.get());
        input.addInterceptor(0, new DeliveriesOnly(guarded, listeners.get(), named));
        guards.put(binding, new Guard(guarded, named));
    }

    /** Returns the transport of a binding whose binder is equipped. */
    private String transport(String binding) {
        Binder<?, ?, ?> binder = beans.getBean(BinderFactory.class)
                .getBinder(beans.getBean(BindingServiceProperties.class).getBinder(binding), MessageChannel.class);
        Optional<KnownBinder> kind = equipment.kindOf(binder);
        if (kind.isEmpty() && listeners.get().runtime().settings().directCalls() == DirectCallPolicy.REFUSE) {
            throw new ListenerConfigurationException(
                    "Binding \"" + binding + "\" is bound by a "
                            + binder.getClass().getSimpleName() + ", which idem does not know",
                    "Bind it with the binder of RabbitMQ or Kafka; in tests with the test binder set"
                            + " idem.consumer.direct-calls to run-unguarded");
        }
        return kind.map(KnownBinder::transport).orElse("unknown");
    }

    /**
     * Guards the adapter of a binding if it is one of the guarded; before the binder initializes it.
     *
     * @throws ListenerConfigurationException if its container cannot be made safe, so that it is not bound
     */
    void guard(Binder<?, ?, ?> binder, MessageProducer adapter, KnownBinder kind) {
        Guard guard = adapter.getOutputChannel() instanceof NamedComponent channel
                ? guards.get(channel.getComponentName())
                : null;
        if (guard != null) {
            try {
                kind.hook(binder, adapter, guard.binding(), guard.named());
                adapter.setOutputChannel(guard.binding());
                proof.get()
                        .ofContainer(
                                guard.binding(),
                                () -> proof.get()
                                        .decides(
                                                ListenerConfigurationException.describe(guard.named()),
                                                guard.binding().definition().scope(),
                                                () -> Objects.requireNonNull(adapter.getOutputChannel())
                                                        .send(new GenericMessage<>(""))));
            } catch (RuntimeException unfit) {
                ListenerConfigurationException refused = unfit instanceof ListenerConfigurationException known
                        ? known
                        : new ListenerConfigurationException(
                                "The binding of \"" + adapter.getOutputChannel() + "\" cannot be guarded: "
                                        + unfit.getMessage(),
                                unfit instanceof ConfigurationException other ? other.action() : "Remove the cause",
                                unfit);
                refusal = refused;
                listeners.get().stops().note(refused);
                throw refused;
            }
        }
    }

    /**
     * Ends the start if a binding was refused: Spring Cloud Stream takes that for an absent broker, and would try again
     * for as long as the application runs.
     *
     * @throws ListenerConfigurationException for the last one that was refused
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ListenerConfigurationException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        StreamBridge bridge = beans.getBeanProvider(StreamBridge.class).getIfAvailable();
        if (!guards.isEmpty() && bridge != null && bridge.isAsync()) {
            throw new ListenerConfigurationException(
                    "The StreamBridge is asynchronous: what guarded functions send through it carries no key, and may"
                            + " be lost although the work is recorded as done",
                    "Remove setAsync(true)");
        }
    }

    /** @param named the method by which a developer finds the function */
    private record Guard(GuardedBinding binding, Method named) {}

    /** Refuses messages that reach a guarded binding's channel in another way than through its adapter. */
    private record DeliveriesOnly(GuardedBinding binding, IdempotentListeners listeners, Method named)
            implements ChannelInterceptor {

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel channel) {
            if (!binding.takeGrant()) {
                listeners.checkDirectCall(named);
            }
            return message;
        }
    }
}
