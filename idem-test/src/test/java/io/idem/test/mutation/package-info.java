/** Scripts with one mistake each: contract and fuzz must notice. */
@NullMarked
package io.idem.test.mutation;

import org.jspecify.annotations.NullMarked;
