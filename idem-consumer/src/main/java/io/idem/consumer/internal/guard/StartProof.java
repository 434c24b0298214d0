package io.idem.consumer.internal.guard;

import io.idem.Scope;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.CurrentDelivery.HandOver;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.internal.spring.BeforeContainers;
import io.idem.operations.ScopeRegistry;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Proves, before containers start, that the messages of each listener come to idem, and that what templates send does:
 * by {@linkplain Probe probes} through the very objects that will be used. No broker and no store is called, and nothing
 * of the application runs; what stands in the way of a probe is named instead. Keeps for the start-up report which listeners are
 * not proved. Thread-safe.
 */
public final class StartProof extends BeforeContainers {

    private static final Logger LOG = LoggerFactory.getLogger(StartProof.class);
    private static final String SETTING = "idem.proof";
    private static final String MOCKITO = "org.mockito.Mockito";
    private static final String SAMPLES = "org.springframework.samples.";

    private final boolean on;
    private final Supplier<IdempotentListeners> listeners;
    private final ScopeRegistry scopes;
    private final Map<Scope, String> descriptions = new ConcurrentHashMap<>();
    /** The listeners to which a container must deliver from the start. */
    private final Map<Scope, Method> required = new ConcurrentHashMap<>();
    /** The gap in the proof of each listener to which a container delivers; an empty text if there is none. */
    private final Map<Scope, String> missing = new ConcurrentHashMap<>();

    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final List<Runnable> ways = new ArrayList<>();
    private boolean collecting = true;
    private volatile boolean started;

    /**
     * Makes the proof of an application.
     *
     * @param on the setting {@code idem.proof}; if false only the proxies of listeners are looked at
     * @param listeners needed when the first container is proved
     * @param scopes learns what is not proved
     */
    public StartProof(boolean on, Supplier<IdempotentListeners> listeners, ScopeRegistry scopes) {
        this.on = on;
        this.listeners = listeners;
        this.scopes = scopes;
    }

    /** Behind all other preparations, which may still change containers and templates. */
    @Override
    public int getPhase() {
        return super.getPhase() + 1;
    }

    @Override
    protected void prepare() {
        List<Runnable> all;
        synchronized (ways) {
            collecting = false;
            all = List.copyOf(ways);
            ways.clear();
        }
        all.forEach(this::run);
        started = true;
        required.forEach((scope, listener) -> {
            if (on && !missing.containsKey(scope)) {
                throw new ListenerConfigurationException(
                        listener,
                        "is delivered to by no container that idem has seen, so that it would not be guarded",
                        "Let the containers of its annotation be made by the endpoint registry that is a bean, and use"
                                + " a version of Spring that idem names in its documentation; or"
                                + " set " + SETTING + " to false");
            }
        });
    }

    /**
     * Adds a listener.
     *
     * @param description for the start-up report
     */
    void expect(Scope scope, String description) {
        descriptions.put(scope, description);
        describe(scope);
    }

    /** Requires that a container delivers to a listener from the start; without this, its container may come later. */
    void require(Scope scope, Method listener) {
        required.put(scope, listener);
    }

    private void found(Scope scope, String lacking) {
        missing.put(scope, lacking);
        describe(scope);
    }

    private void describe(Scope scope) {
        String description = descriptions.get(scope);
        if (description != null) {
            String lacking =
                    on ? missing.getOrDefault(scope, "no container delivers to it yet") : SETTING + " is false";
            scopes.describe(scope, description + (lacking.isEmpty() ? "" : ", not proved at start: " + lacking));
        }
    }

    /**
     * Proves a container that may be started before the others: at once, and once more when all are finished.
     *
     * @param bean for which it was made, whose proxies are checked even if the proof is off
     */
    public void ofContainer(Object bean, Runnable way) {
        run(() -> ListenerShapeCheck.checkCalled(bean));
        ofTemplate(way);
        if (on && !started) {
            run(way);
        }
    }

    /** Proves what is made of templates: when all is finished, or at once if the application has started. */
    public void ofTemplate(Runnable way) {
        if (on && !isLeftToTheStart(way)) {
            run(way);
        }
    }

    private boolean isLeftToTheStart(Runnable way) {
        synchronized (ways) {
            return collecting && ways.add(way);
        }
    }

    private void run(Runnable way) {
        try {
            way.run();
        } catch (RuntimeException failed) {
            ListenerConfigurationException refusal = failed instanceof ListenerConfigurationException known
                    ? known
                    : refused("The way of messages to idem cannot be proved: " + failed.getMessage(), failed);
            if (started) {
                listeners.get().stops().note(refusal);
            }
            throw refusal;
        }
    }

    private static ListenerConfigurationException refused(String problem, @Nullable Throwable cause) {
        return new ListenerConfigurationException(
                problem,
                "Change no advices, listeners, retries or post-processors after idem has seen the bean, and set"
                        + " advices in the container factory; use a version of Spring that idem names in its"
                        + " documentation; or set "
                        + SETTING
                        + " to false",
                cause);
    }

    /**
     * Proves that a call comes to a link of idem before all else.
     *
     * @param what for whom the call is made, as the beginning of a sentence
     * @param first the object that gets the call; where it is a proxy, its first advice counts
     * @throws ListenerConfigurationException if something else gets it
     */
    public void reaches(String what, Object link, @Nullable Object first, HandOver call) {
        Object called = first instanceof Advised proxy && proxy.getAdvisors().length > 0
                ? proxy.getAdvisors()[0].getAdvice()
                : first;
        boolean arrived = false;
        Throwable failure = null;
        try {
            arrived = called == link && Probe.arrivesAt(link, call);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        if (!arrived) {
            throw refused(
                    what + " would not be guarded: "
                            + (called == link
                                    ? "a probe did not come to "
                                            + link.getClass().getSimpleName()
                                    : "idem is not called first, but " + ClassUtils.getDescriptiveType(called))
                            + (failure == null ? "" : " (" + failure + ")"),
                    failure);
        }
    }

    /**
     * Proves that idem decides on calls of a bean's methods, by calls without arguments. Checks the bean's proxies before.
     *
     * @param bean of the listener
     * @param held by the listener's adapter: the bean, but for a listener of the application that calls it
     * @param between objects of the container that see a message before the bean does
     */
    public void decides(Object bean, Object held, Collection<Method> methods, Stream<?> between) {
        ListenerShapeCheck.checkCalled(held);
        List<String> objects = names(between);
        for (Method method : methods) {
            if (!method.getDeclaringClass().isAssignableFrom(AopProxyUtils.ultimateTargetClass(held))) {
                found(
                        listeners.get().scope(bean, method),
                        "its listener stands behind " + held.getClass().getName());
                continue;
            }
            String what = ListenerConfigurationException.describe(method);
            List<String> outside =
                    Guard.of(held, what, method).proxies().outside().toList();
            List<String> all = Stream.concat(objects.stream(), outside.stream()).toList();
            if (!all.isEmpty() && told.add(what)) {
                LOG.info("Between the container and {} stand {}", what, String.join(", ", all));
            }
            Scope scope = listeners.get().scope(bean, method);
            if (!outside.isEmpty()) {
                found(scope, "its bean is called through " + String.join(", ", outside));
            } else if (held instanceof Advised proxy && !proxy.getTargetSource().isStatic()) {
                found(scope, "its bean is chosen for each message");
            } else {
                Method invocable = AopUtils.selectInvocableMethod(method, held.getClass());
                @Nullable Object[] nothing = Arrays.stream(method.getParameterTypes())
                        .map(type -> type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null)
                        .toArray();
                ReflectionUtils.makeAccessible(invocable);
                decides(what, scope, () -> ReflectionUtils.invokeMethod(invocable, held, nothing));
            }
        }
    }

    /** Proves that idem decides on calls of a listener that is no annotated method. */
    public void decides(String what, Scope scope, HandOver call) {
        reaches(what, listeners.get(), listeners.get(), call);
        found(scope, "");
    }

    /** Tells once of an object that is not proved, and what of the application a probe would call. */
    public void tell(String what, String why) {
        if (told.add(what)) {
            LOG.info("{} is not proved at start, because of {}", what, why);
        }
    }

    /** Returns the names of the objects that are the application's or a test's, rather than of Spring. */
    public static List<String> names(Stream<?> objects) {
        return objects.map(one -> isSpy(one)
                        ? "a spy"
                        : AopProxyUtils.ultimateTargetClass(one).getName())
                .filter(name -> !name.startsWith("org.springframework.") || name.startsWith(SAMPLES))
                .toList();
    }

    /** Returns whether a test listens to the calls of an object, and may answer them. */
    public static boolean isSpy(Object one) {
        if (!ClassUtils.isPresent(MOCKITO, one.getClass().getClassLoader())) {
            return false;
        }
        Class<?> mockito = ClassUtils.resolveClassName(MOCKITO, one.getClass().getClassLoader());
        Object details =
                ReflectionUtils.invokeMethod(ClassUtils.getMethod(mockito, "mockingDetails", Object.class), null, one);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(
                ClassUtils.getMethod(Objects.requireNonNull(details).getClass(), "isMock"), details));
    }
}
