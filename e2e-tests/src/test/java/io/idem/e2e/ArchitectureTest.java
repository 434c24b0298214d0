package io.idem.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The dependencies between the packages of all modules. */
class ArchitectureTest {

    private static final String[] ENGINE = {
        "io.idem",
        "io.idem.engine..",
        "io.idem.operations..",
        "io.idem.spi..",
        "io.idem.internal..",
        "io.idem.memory..",
        "io.idem.redis..",
        "io.idem.retry..",
        "io.idem.json.."
    };
    private static final String CONSUMER = "io.idem.consumer..";

    /** The listener packages from the public API at the bottom to the interceptors around beans at the top. */
    private static final List<String> LISTENERS = List.of(
            "io.idem.consumer",
            "io.idem.consumer.internal.key",
            "io.idem.consumer.internal.outage",
            "io.idem.consumer.internal.delivery",
            "io.idem.consumer.internal.definition",
            "io.idem.consumer.internal.batch",
            "io.idem.consumer.internal.call",
            "io.idem.consumer.internal.guard");

    private static final List<String> RABBIT =
            List.of("io.idem.consumer.rabbit..", "io.idem.consumer.internal.rabbit..");
    private static final List<String> KAFKA = List.of("io.idem.consumer.kafka..", "io.idem.consumer.internal.kafka..");

    private static final SliceAssignment PACKAGES = new SliceAssignment() {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    private static final String HTTP = "io.idem.http..";
    private static final String GATEWAY = "io.idem.gateway..";
    private static final String JDBC = "io.idem.jdbc..";
    /** The guard of methods is part of the engine's module and knows Spring; nothing else of the engine knows it. */
    private static final String METHODS = "io.idem.internal.method..";

    /** The package of helpers that auto-configurations share. */
    private static final String SPRING = "io.idem.internal.spring..";

    private static final String[] OUTSIDE_OF_THE_ENGINE = {CONSUMER, HTTP, GATEWAY, JDBC, METHODS, "io.idem.demo.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.idem");

    @Test
    void theEngineKnowsNeitherSpringNorAnyOfItsUsers() {
        check(noClasses()
                .that()
                .resideInAnyPackage(ENGINE)
                .and()
                .resideOutsideOfPackages(METHODS, SPRING)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
        check(noClasses()
                .that()
                .resideInAnyPackage(ENGINE)
                .and()
                .resideOutsideOfPackages(METHODS, SPRING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OUTSIDE_OF_THE_ENGINE));
        for (String user : List.of(CONSUMER, HTTP, GATEWAY, JDBC)) {
            check(separate(METHODS, user));
        }
    }

    @Test
    void whatUsersTypeKnowsNoStore() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.idem", "io.idem.spi..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.idem.engine..",
                                "io.idem.internal..",
                                "io.idem.memory..",
                                "io.idem.redis..",
                                "io.idem.retry..",
                                "io.idem.json..")
                        .and(resideOutsideOfPackage("io.idem.internal.value"))));
    }

    @Test
    void httpAndMessagesDoNotKnowEachOther() {
        check(separate(HTTP, CONSUMER));
        check(separate(CONSUMER, HTTP));
    }

    @Test
    void theBrokersDoNotKnowEachOther() {
        for (String rabbit : RABBIT) {
            check(separate(rabbit, "org.springframework.kafka.."));
            for (String kafka : KAFKA) {
                check(separate(rabbit, kafka));
                check(separate(kafka, rabbit));
            }
        }
        for (String kafka : KAFKA) {
            check(separate(kafka, "org.springframework.amqp.."));
        }
    }

    @Test
    void whatAllListenersShareKnowsNoBroker() {
        for (String shared : LISTENERS) {
            RABBIT.forEach(rabbit -> check(separate(shared, rabbit)));
            KAFKA.forEach(kafka -> check(separate(shared, kafka)));
            check(separate(shared, "org.springframework.amqp.."));
            check(separate(shared, "org.springframework.kafka.."));
        }
    }

    @Test
    void thePackagesOfTheListenersDependOnlyOnThoseBelowThem() {
        for (int below = 0; below < LISTENERS.size(); below++) {
            for (String above : LISTENERS.subList(below + 1, LISTENERS.size())) {
                check(separate(LISTENERS.get(below), above));
            }
        }
    }

    @Test
    void noPackageIsPartOfACycle() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void theDemoImportsNothingInternal() {
        check(separate("io.idem.demo..", "io.idem..internal.."));
    }

    @Test
    void theInboxKnowsNeitherHttpNorMessages() {
        check(separate(JDBC, HTTP));
        check(separate(JDBC, CONSUMER));
        check(separate(HTTP, JDBC));
        check(separate(CONSUMER, JDBC));
    }

    @Test
    void nobodyInTheLibraryKnowsTheServersOfTheTestsOrTheDemo() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.idem.servers..", "io.idem.demo..", "io.idem.workshop..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.idem.servers..", "io.idem.demo.."));
    }

    /** Spring Boot 4.2 moved it to another package. */
    @Test
    void nobodyDependsOnBootsModuleForRabbitMq() {
        for (String module : List.of("org.springframework.boot.amqp..", "org.springframework.boot.rabbitmq..")) {
            check(separate("io.idem..", module));
        }
    }

    @Test
    void autoConfigurationIsNobodysApi() {
        check(classes()
                .that()
                .resideInAPackage("io.idem..autoconfigure..")
                .and()
                .haveSimpleNameNotEndingWith("package-info")
                .should()
                .notHaveModifier(JavaModifier.PUBLIC));
    }

    /** Conditions of a method are read by loading its class; for a class that is not there Spring logs a warning at each start. */
    @Test
    void noBeanMethodNamesAClassThatMayBeMissing() {
        check(noMethods().that().areAnnotatedWith(Bean.class).should().beAnnotatedWith(ConditionalOnClass.class));
    }

    private static ArchRule separate(String these, String those) {
        return noClasses()
                .that()
                .resideInAPackage(these)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(those);
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
