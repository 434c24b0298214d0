package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.cloud.function.context.FunctionCatalog;
import org.springframework.cloud.function.context.catalog.FunctionTypeUtils;
import org.springframework.cloud.function.context.catalog.SimpleFunctionRegistry.FunctionInvocationWrapper;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.function.BindableFunctionProxyFactory;
import org.springframework.util.ClassUtils;

/** The functions of an application that are bound to inputs. */
record BoundFunctions(ConfigurableListableBeanFactory beans, Collection<BindableFunctionProxyFactory> bound) {

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
        bound.stream().filter(one -> parts(one).contains(function)).forEach(one -> inputs.addAll(one.getInputs()));
        if (inputs.isEmpty()) {
            throw new ListenerConfigurationException(
                    "@IdempotentListener stands on the @Bean method of \"" + function
                            + "\", which is bound to no input; the inputs are " + inputs(),
                    "Name the function in spring.cloud.function.definition, or use @Idempotent for a bean that is no"
                            + " listener",
                    null);
        }
        return inputs;
    }

    private static List<String> parts(BindableFunctionProxyFactory one) {
        return Arrays.stream(one.getFunctionDefinition().split("[|,]", -1))
                .map(String::trim)
                .toList();
    }

    /** Returns the {@code @Bean} method of a function; empty if it is made otherwise. */
    Optional<Method> maker(String function) {
        return beans.containsBeanDefinition(function)
                        && beans.getMergedBeanDefinition(function) instanceof RootBeanDefinition definition
                ? Optional.ofNullable(definition.getResolvedFactoryMethod())
                : Optional.empty();
    }

    /** Returns the {@code @Bean} method of the first function of a binding; empty if it is made otherwise. */
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
        FunctionInvocationWrapper function =
                beans.getBean(FunctionCatalog.class).lookup(one.getFunctionDefinition());
        refuse(
                one.getInputs().size() > 1,
                input,
                "is one of several inputs of a function, which takes streams of them",
                "Use a function with one input");
        refuse(
                function.isInputTypePublisher() || function.isOutputTypePublisher(),
                input,
                "has a reactive function: its container acknowledges a message before the work is done",
                "Use a function of single values, such as a Consumer<Payment>");
        refuse(
                isLater(FunctionTypeUtils.getRawType(function.getOutputType())),
                input,
                "has a function that returns a future, for whose end its container does not wait",
                "Do the work before the function returns");
        refuse(
                beans.getBean(BindingServiceProperties.class)
                        .getConsumerProperties(input)
                        .isBatchMode(),
                input,
                "takes batches, whose messages a function cannot settle one by one",
                "Set spring.cloud.stream.bindings." + input
                        + ".consumer.batch-mode to false, or use a listener method that takes batches");
    }

    private static boolean isLater(Class<?> type) {
        return ClassUtils.isAssignable(Future.class, type) || ClassUtils.isAssignable(CompletionStage.class, type);
    }

    private static void refuse(boolean broken, String input, String problem, String action) {
        if (broken) {
            throw new ListenerConfigurationException("Binding \"" + input + "\" " + problem, action, null);
        }
    }
}
