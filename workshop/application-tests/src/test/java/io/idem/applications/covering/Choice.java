package io.idem.applications.covering;

import static io.idem.applications.covering.Dimension.ACKNOWLEDGEMENT;
import static io.idem.applications.covering.Dimension.BROKER;
import static io.idem.applications.covering.Dimension.CONNECTIONS;
import static io.idem.applications.covering.Dimension.CONTAINER;
import static io.idem.applications.covering.Dimension.FACTORY;
import static io.idem.applications.covering.Dimension.FAILURE;
import static io.idem.applications.covering.Dimension.KEY;
import static io.idem.applications.covering.Dimension.LIFE;
import static io.idem.applications.covering.Dimension.PROXY;
import static io.idem.applications.covering.Dimension.TEMPLATE;
import static io.idem.applications.covering.Dimension.THREADS;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A choice in a dimension of the covering array. */
public enum Choice {
    RABBITMQ(BROKER, Where.RABBITMQ),
    KAFKA(BROKER, Where.KAFKA),

    SIMPLE(CONTAINER, Where.RABBITMQ),
    DIRECT(CONTAINER, Where.RABBITMQ),
    SINGLE(CONTAINER, Where.KAFKA),
    CONCURRENT(CONTAINER, Where.BOTH),
    /** A listener that the code of the application registers, without an annotation. */
    PROGRAMMATIC(CONTAINER, Where.BOTH),

    AUTO(ACKNOWLEDGEMENT, Where.RABBITMQ),
    RECORD(ACKNOWLEDGEMENT, Where.KAFKA),
    BATCH(ACKNOWLEDGEMENT, Where.KAFKA),
    MANUAL(ACKNOWLEDGEMENT, Where.BOTH),
    MANUAL_IMMEDIATE(ACKNOWLEDGEMENT, Where.KAFKA),

    BOOTS_FACTORY(FACTORY, Where.BOTH),
    FACTORY_BEAN(FACTORY, Where.BOTH),
    /** A factory that is created in a configurer and passed to the registrar. */
    FACTORY_THAT_IS_NO_BEAN(FACTORY, Where.BOTH),
    CUSTOMIZED_CONTAINER(FACTORY, Where.BOTH),
    OVERRIDDEN_FACTORY(FACTORY, Where.BOTH),

    DEFAULT_FAILURES(FAILURE, Where.BOTH),
    /** The setting {@code default-requeue-rejected=false}. */
    REJECTED_FAILURES(FAILURE, Where.RABBITMQ),
    RETRY(FAILURE, Where.BOTH),
    RECOVERER(FAILURE, Where.BOTH),
    LISTENER_ERROR_HANDLER(FAILURE, Where.BOTH),
    CONTAINER_ERROR_HANDLER(FAILURE, Where.BOTH),
    RETRY_TOPIC(FAILURE, Where.KAFKA),

    NO_OTHER_PROXY(PROXY, Where.BOTH),
    /** An advisor of the application that proxies the class. */
    CGLIB(PROXY, Where.BOTH),
    /** A proxy of the listener's interface. */
    JDK(PROXY, Where.BOTH),
    /** An asynchronous method beside the listener; an asynchronous listener is refused. */
    ASYNC(PROXY, Where.BOTH),
    VALIDATED(PROXY, Where.BOTH),
    TRANSACTIONAL(PROXY, Where.BOTH),
    PRE_AUTHORIZE(PROXY, Where.BOTH),
    TWO_CREATORS(PROXY, Where.BOTH),

    SINGLETON(LIFE, Where.BOTH),
    LAZY(LIFE, Where.BOTH),
    PROTOTYPE(LIFE, Where.BOTH),
    /** A bean that is defined after the application has started. */
    LATE(LIFE, Where.BOTH),
    /** A bean in a scope that can recreate its beans. */
    REFRESH(LIFE, Where.BOTH),

    ONE_CONNECTION(CONNECTIONS, Where.BOTH),
    SEVERAL_CONNECTIONS(CONNECTIONS, Where.BOTH),

    NO_TEMPLATE(TEMPLATE, Where.BOTH),
    BOOTS_TEMPLATE(TEMPLATE, Where.BOTH),
    TEMPLATE_BEAN(TEMPLATE, Where.BOTH),
    TEMPLATE_THAT_IS_NO_BEAN(TEMPLATE, Where.BOTH),

    KEY_HEADER(KEY, Where.BOTH),
    MESSAGE_ID(KEY, Where.BOTH),
    EXPRESSION_OVER_BODY(KEY, Where.BOTH),
    EXPRESSION_OVER_HEADERS(KEY, Where.BOTH),

    PLATFORM_THREADS(THREADS, Where.BOTH),
    VIRTUAL_THREADS(THREADS, Where.BOTH);

    private enum Where {
        RABBITMQ,
        KAFKA,
        BOTH
    }

    private final Dimension dimension;
    private final Where where;

    Choice(Dimension dimension, Where where) {
        this.dimension = dimension;
        this.where = where;
    }

    Dimension dimension() {
        return dimension;
    }

    /** Returns whether a broker supports both choices. */
    boolean sharesBroker(Choice other) {
        return where == other.where || where == Where.BOTH || other.where == Where.BOTH;
    }

    static List<Choice> of(Dimension dimension) {
        return Arrays.stream(values())
                .filter(choice -> choice.dimension == dimension)
                .toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
