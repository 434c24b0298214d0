package io.idem.http.internal.admission;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * The handler adapters of the application behind the one that notes calls, in their order, looked up once for each context. For adapters.
 * Thread-safe.
 *
 * @param <A> type of the adapters
 */
public final class HandlerAdapters<A> {

    private final Map<ApplicationContext, List<A>> known = new ConcurrentHashMap<>();
    private final Class<A> type;
    private final Class<? extends A> own;
    private final UnaryOperator<A> noting;

    /**
     * Creates adapters.
     *
     * @param own class of the adapter that notes calls, which is left out
     * @param noting returns the adapter in place of another
     */
    public HandlerAdapters(Class<A> type, Class<? extends A> own, UnaryOperator<A> noting) {
        this.type = type;
        this.own = own;
        this.noting = noting;
    }

    /** Returns the first adapter of a context that supports a handler. */
    public Optional<A> first(ApplicationContext context, Predicate<A> supporting) {
        return known.computeIfAbsent(context, this::in).stream()
                .filter(supporting)
                .findFirst();
    }

    private List<A> in(ApplicationContext context) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(context, type, true, false).values().stream()
                .filter(adapter -> !own.isInstance(adapter))
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .map(noting)
                .toList();
    }
}
