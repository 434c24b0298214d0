package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.cloud.function.context.FunctionCatalog;
import org.springframework.cloud.function.context.catalog.FunctionTypeUtils;
import org.springframework.cloud.function.context.catalog.SimpleFunctionRegistry.FunctionInvocationWrapper;
import org.springframework.cloud.stream.binder.PollableMessageSource;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.function.BindableFunctionProxyFactory;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.util.ClassUtils;

/** The functions of an application that are bound to inputs. */
record BoundFunctions(ConfigurableListableBeanFactory beans, Collection<BindableFunctionProxyFactory> bound) {

    private static final Set<String> CALLS = Set.of("accept", "apply");

    static BoundFunctions of(ConfigurableListableBeanFactory beans) {
        return new BoundFunctions(
                beans,
                beans.getBeansOfType(BindableFunctionProxyFactory.class).values().stream()
                        .filter(BindableFunctionProxyFactory::isFunctionExist)
                        .toList());
    }

    /** The names of all inputs, sorted. */
    Set<String> inputs() {
        Set<String> inputs = new TreeSet<>();
        bound.forEach(one -> inputs.addAll(one.getInputs()));
        return inputs;
    }

    /**
     * Returns the inputs of a function, alone or as a part of a composed one.
     *
     * @throws ListenerConfigurationException if it has none
     */
    List<String> inputsOf(String function) {
        List<String> inputs = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of(beans.getAliases(function)));
        names.add(function);
        bound.stream()
                .filter(one -> !Collections.disjoint(parts(one), names))
                .forEach(one -> inputs.addAll(one.getInputs()));
        if (inputs.isEmpty()) {
            throw new ListenerConfigurationException(
                    "@IdempotentListener stands on the @Bean method of \"" + function
                            + "\", which is bound to no input; the inputs are " + inputs(),
                    "Name the function in spring.cloud.function.definition; behind a router, guard the router's input by"
                            + " idem.cloud-stream.bindings; use @Idempotent for a bean that is no listener");
        }
        return inputs;
    }

    private static List<String> parts(BindableFunctionProxyFactory one) {
        return Arrays.stream(one.getFunctionDefinition().split("[|,]", -1))
                .map(String::trim)
                .toList();
    }

    /** Returns the method by which a developer finds a function: its {@code @Bean} method, or that of its class. */
    Optional<Method> maker(String function) {
        Optional<Method> bean = beans.containsBeanDefinition(function)
                        && beans.getMergedBeanDefinition(function) instanceof RootBeanDefinition definition
                ? Optional.ofNullable(definition.getResolvedFactoryMethod())
                : Optional.empty();
        return bean.or(() -> Optional.ofNullable(beans.containsBean(function) ? beans.getType(function) : null)
                .flatMap(type -> Arrays.stream(type.getMethods())
                        .filter(method -> !method.isBridge() && CALLS.contains(method.getName()))
                        .findFirst()));
    }

    /** Returns the method by which a developer finds the first function of a binding; empty if it has none. */
    Optional<Method> makerOf(String input) {
        return maker(parts(boundTo(input)).get(0));
    }

    private BindableFunctionProxyFactory boundTo(String input) {
        return bound.stream()
                .filter(one -> one.getInputs().contains(input))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Checks that the work of a binding's function is one message at a time and has ended when the function returns.
     *
     * @throws ListenerConfigurationException if not
     */
    void check(String input) {
        BindableFunctionProxyFactory one = boundTo(input);
        refuse(
                beans.getBean(input) instanceof PollableMessageSource,
                input,
                "is a pollable source, whose messages the application fetches and settles itself",
                "Put @Idempotent on the method that works on them");
        refuse(
                one.getInputs().size() > 1 || one.getOutputs().size() > 1,
                input,
                "is one of several inputs or outputs of a function, which takes or returns streams of them",
                "Use a function with one input and at most one output");
        parts(one).forEach(part -> checkWork(input, part));
        refuse(
                beans.getBean(BindingServiceProperties.class)
                        .getConsumerProperties(input)
                        .isBatchMode(),
                input,
                "takes batches, whose messages a function cannot settle one by one",
                "Set spring.cloud.stream.bindings." + input
                        + ".consumer.batch-mode to false, or use a listener method that takes batches");
        Stream.concat(Stream.of(input), one.getOutputs().stream())
                .forEach(channel -> refuse(
                        !(beans.getBean(channel) instanceof DirectChannel),
                        input,
                        "is or leads to the channel \"" + channel
                                + "\", a bean of the application that may hand messages to"
                                + " another thread, so that they would be acknowledged before the work is done",
                        "Remove the bean, or make it a DirectChannel"));
    }

    /** A part of a composed function may be reactive, although neither its first input nor its last output is. */
    private void checkWork(String input, String part) {
        FunctionInvocationWrapper function =
                beans.getBean(FunctionCatalog.class).lookup(part);
        if (function == null) {
            return;
        }
        refuse(
                function.isInputTypePublisher() || function.isOutputTypePublisher(),
                input,
                "has the reactive function \"" + part
                        + "\": its container acknowledges a message before the work is done",
                "Use a function of single values, such as a Consumer<Payment>");
        refuse(
                isLater(FunctionTypeUtils.getRawType(function.getOutputType())),
                input,
                "has the function \"" + part + "\" that returns a future, for whose end its container does not wait",
                "Do the work before the function returns");
    }

    /**
     * Checks that no router calls annotated functions, which it would do without the guard of their bindings.
     *
     * @throws ListenerConfigurationException if one does
     */
    void checkRouters(Set<String> guarded) {
        bound.stream()
                .filter(one -> parts(one).stream().anyMatch(this::isRouter))
                .flatMap(one -> one.getInputs().stream())
                .forEach(input -> refuse(
                        !guarded.contains(input),
                        input,
                        "leads to a router, which would call functions with an @IdempotentListener without their guard",
                        "Set idem.cloud-stream.bindings." + input
                                + " to a scope and remove the annotations, or bind the functions without the router"));
    }

    private boolean isRouter(String part) {
        FunctionInvocationWrapper function =
                beans.getBean(FunctionCatalog.class).lookup(part);
        return function != null && function.isRoutingFunction();
    }

    private static boolean isLater(Class<?> type) {
        return ClassUtils.isAssignable(Future.class, type) || ClassUtils.isAssignable(CompletionStage.class, type);
    }

    private static void refuse(boolean broken, String input, String problem, String action) {
        if (broken) {
            throw new ListenerConfigurationException("Binding \"" + input + "\" " + problem, action);
        }
    }
}
