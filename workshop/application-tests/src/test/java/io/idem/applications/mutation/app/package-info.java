/** The applications, which are compiled against the frameworks as they are mutated. */
@NullMarked
package io.idem.applications.mutation.app;

import org.jspecify.annotations.NullMarked;
