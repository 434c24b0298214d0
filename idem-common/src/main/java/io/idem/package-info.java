/** What users type: keys, scopes, the executor and its outcomes. Depends on the JDK, SLF4J and JSpecify only. */
@NullMarked
package io.idem;

import org.jspecify.annotations.NullMarked;
