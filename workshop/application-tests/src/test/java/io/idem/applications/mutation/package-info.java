/** Applications of which one name in a framework is not the one that idem was compiled against: refused, stopped or protected. */
@NullMarked
package io.idem.applications.mutation;

import org.jspecify.annotations.NullMarked;
