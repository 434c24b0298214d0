package io.idem.applications.covering;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

/** The configuration classes that create proxies of the application's beans. */
final class Proxies {

    private Proxies() {}

    @Configuration(proxyBeanMethods = false)
    static class Aspect {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor timing() {
            NameMatchMethodPointcut pay = new NameMatchMethodPointcut();
            pay.setMappedName("pay");
            pay.setClassFilter(type -> type.getName().startsWith(Proxies.class.getPackageName()));
            return new DefaultPointcutAdvisor(pay, (MethodInterceptor) MethodInvocation::proceed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchrony {}

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {}

    @Configuration(proxyBeanMethods = false)
    static class SecondCreator {

        @Bean
        static DefaultAdvisorAutoProxyCreator secondCreator() {
            return new DefaultAdvisorAutoProxyCreator();
        }
    }
}
