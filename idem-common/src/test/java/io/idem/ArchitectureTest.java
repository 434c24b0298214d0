package io.idem;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The direction of the arrows inside the engine. */
class ArchitectureTest {

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.idem");

    @Test
    void whatUsersTypeDependsOnNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage("io.idem")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.idem", "io.idem.step", "io.idem.internal.value", "java..", "org.slf4j..", "org.jspecify..")
                .check(ENGINE);
    }

    @Test
    void stepsDependOnNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage("io.idem.step")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.idem.step", "io.idem.internal.value", "java..", "org.jspecify..")
                .check(ENGINE);
    }

    @Test
    void theEngineDependsOnNoStore() {
        classes()
                .that()
                .resideInAnyPackage("io.idem.spi", "io.idem.engine", "io.idem.operations")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.idem",
                        "io.idem.step",
                        "io.idem.spi",
                        "io.idem.engine",
                        "io.idem.operations",
                        "io.idem.internal",
                        "io.idem.internal.value",
                        "java..",
                        "io.micrometer.observation",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(ENGINE);
    }

    @Test
    void storesAndCodecsDoNotDependOnEachOther() {
        slices().matching("io.idem.(redis|memory|retry|json)..")
                .should()
                .notDependOnEachOther()
                .check(ENGINE);
    }

    @Test
    void nobodyButTheAutoConfigurationAndTheGuardOfMethodsKnowsSpring() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.idem.autoconfigure..",
                        "io.idem.internal.method..",
                        "io.idem.internal.spring..",
                        "io.idem.servers.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .check(ENGINE);
    }

    @Test
    void nobodyKnowsTheAutoConfiguration() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.idem.autoconfigure..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.idem.autoconfigure..")
                .check(ENGINE);
    }

    @Test
    void theAutoConfigurationIsNobodysApi() {
        classes()
                .that()
                .resideInAPackage("io.idem.autoconfigure..")
                .and()
                .areTopLevelClasses()
                .should()
                .bePackagePrivate()
                .check(ENGINE);
    }
}
