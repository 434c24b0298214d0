package io.idem.packaging.starter;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** An application with a cache and the auto-configuration of its class path. It has no Redis and uses no broker. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
public class CachingApplication {

    /** Returns the class of every bean by name. Called by reflection, in the class loader of the application. */
    public static Map<String, String> beans(Map<String, Object> settings) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(CachingApplication.class)
                .properties(settings)
                .run()) {
            Map<String, String> beans = new HashMap<>();
            for (String name : context.getBeanDefinitionNames()) {
                Class<?> type = context.getType(name);
                beans.put(name, type == null ? "null" : name(ClassUtils.getUserClass(type)));
            }
            return beans;
        }
    }

    /** Removes the number at the end of the names of lambdas, which differs from run to run. */
    private static String name(Class<?> type) {
        return type.getName().replaceFirst("\\$\\$Lambda.*", "");
    }
}
