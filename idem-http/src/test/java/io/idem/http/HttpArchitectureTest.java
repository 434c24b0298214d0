package io.idem.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class HttpArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.idem.http");

    @Test
    void messagesAndStoresAreUnknownHere() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.idem.consumer..", "io.idem.redis..", "io.idem.memory..", "io.idem.jdbc..")
                .check(CLASSES);
    }

    @Test
    void theCommonPartKnowsNoCarrier() {
        noClasses()
                .that()
                .resideInAnyPackage("io.idem.http", "io.idem.http.internal.admission")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta.servlet..",
                        "org.springframework.web.servlet..",
                        "org.springframework.web.reactive..",
                        "org.springframework.http.server.reactive..",
                        "reactor..",
                        "io.idem.http.servlet..",
                        "io.idem.http.internal.servlet..",
                        "io.idem.http.webflux..",
                        "io.idem.http.internal.webflux..",
                        "io.idem.http.autoconfigure..")
                .check(CLASSES);
    }

    @Test
    void theServletPartKnowsNoAutoConfiguration() {
        noClasses()
                .that()
                .resideInAnyPackage("io.idem.http.servlet..", "io.idem.http.internal.servlet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.idem.http.autoconfigure..", "org.springframework.boot.autoconfigure..")
                .check(CLASSES);
    }

    @Test
    void theServletPartKnowsNoWebFlux() {
        noClasses()
                .that()
                .resideInAnyPackage("io.idem.http.servlet..", "io.idem.http.internal.servlet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.idem.http.webflux..",
                        "io.idem.http.internal.webflux..",
                        "org.springframework.web.reactive..",
                        "reactor..")
                .check(CLASSES);
    }

    @Test
    void theWebFluxPartKnowsNoServletApiAndNoAutoConfiguration() {
        noClasses()
                .that()
                .resideInAnyPackage("io.idem.http.webflux..", "io.idem.http.internal.webflux..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta.servlet..",
                        "org.springframework.web.servlet..",
                        "io.idem.http.servlet..",
                        "io.idem.http.internal.servlet..",
                        "io.idem.http.autoconfigure..",
                        "org.springframework.boot.autoconfigure..")
                .check(CLASSES);
    }

    /** An application of WebFlux may run on Tomcat, without a jar of Reactor Netty: the class that names it must not be loaded there. */
    @Test
    void reactorNettyIsKnownToOneClassThatIsLoadedOnlyBesideIt() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.idem.http.internal.webflux.NettyBody")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor.netty..", "io.netty..")
                .check(CLASSES);
    }

    @Test
    void autoConfigurationIsNobodysBusiness() {
        classes()
                .that()
                .resideInAPackage("io.idem.http.autoconfigure")
                .should()
                .bePackagePrivate()
                .check(CLASSES);
    }
}
