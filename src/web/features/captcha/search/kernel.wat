;; SHA-256 for four numbers at a time: every vector holds one word of each of them.
;;
;; Vectors in memory, 16 bytes each:
;;      0   the constants of the 64 rounds
;;   1024   the schedule, 64 words
;;   2048   the registers a to h before the first round that differs within a hundred
;;   2176   the two words that hold the last two digits, for the number that ends in 00
;;   2208   what these two words gain in the numbers 00 to 03, then in 04 to 07, and so on, 25 pairs
(module
  (memory (export "memory") 1)
  (global (export "constants") i32 (i32.const 0))
  (global (export "words") i32 (i32.const 1024))
  (global (export "registers") i32 (i32.const 2048))
  (global (export "changing") i32 (i32.const 2176))
  (global (export "digits") i32 (i32.const 2208))

  ;; Whether for a number of the hundred register e comes to $wanted after 61 rounds, where it decides on the digest's
  ;; last word. Rounds are counted by their distance in memory; the first one that differs is $firstRound.
  (func (export "run") (param $firstRound i32) (param $wanted i32) (result i32)
    (local $round i32) (local $digits i32)
    (local $x v128) (local $y v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $digits (i32.const 2208))
    (loop $nextFour
      (v128.store offset=1024 (local.get $firstRound)
        (i32x4.add (v128.load offset=2176 (i32.const 0)) (v128.load (local.get $digits))))
      (v128.store offset=1040 (local.get $firstRound)
        (i32x4.add (v128.load offset=2192 (i32.const 0)) (v128.load offset=16 (local.get $digits))))

      ;; The words 16 to 60 follow from those 16, 15, 7 and 2 places before them.
      (local.set $round (i32.const 256))
      (loop $expand
        (local.set $x (v128.load offset=784 (local.get $round)))
        (local.set $y (v128.load offset=992 (local.get $round)))
        (v128.store offset=1024 (local.get $round)
          (i32x4.add
            (i32x4.add (v128.load offset=768 (local.get $round)) (v128.load offset=912 (local.get $round)))
            (i32x4.add
              (v128.xor
                (v128.xor
                  (v128.or (i32x4.shr_u (local.get $x) (i32.const 7)) (i32x4.shl (local.get $x) (i32.const 25)))
                  (v128.or (i32x4.shr_u (local.get $x) (i32.const 18)) (i32x4.shl (local.get $x) (i32.const 14))))
                (i32x4.shr_u (local.get $x) (i32.const 3)))
              (v128.xor
                (v128.xor
                  (v128.or (i32x4.shr_u (local.get $y) (i32.const 17)) (i32x4.shl (local.get $y) (i32.const 15)))
                  (v128.or (i32x4.shr_u (local.get $y) (i32.const 19)) (i32x4.shl (local.get $y) (i32.const 13))))
                (i32x4.shr_u (local.get $y) (i32.const 10))))))
        (local.set $round (i32.add (local.get $round) (i32.const 16)))
        (br_if $expand (i32.lt_u (local.get $round) (i32.const 976))))

      (local.set $a (v128.load offset=2048 (i32.const 0)))
      (local.set $b (v128.load offset=2064 (i32.const 0)))
      (local.set $c (v128.load offset=2080 (i32.const 0)))
      (local.set $d (v128.load offset=2096 (i32.const 0)))
      (local.set $e (v128.load offset=2112 (i32.const 0)))
      (local.set $f (v128.load offset=2128 (i32.const 0)))
      (local.set $g (v128.load offset=2144 (i32.const 0)))
      (local.set $h (v128.load offset=2160 (i32.const 0)))
      (local.set $round (local.get $firstRound))
      (loop $compress
        ;; h + the constant + the word + ch(e, f, g) + the sum of e rotated by 6, 11 and 25
        (local.set $x
          (i32x4.add
            (i32x4.add
              (i32x4.add (local.get $h) (v128.load (local.get $round)))
              (i32x4.add
                (v128.load offset=1024 (local.get $round))
                (v128.bitselect (local.get $f) (local.get $g) (local.get $e))))
            (v128.xor
              (v128.xor
                (v128.or (i32x4.shr_u (local.get $e) (i32.const 6)) (i32x4.shl (local.get $e) (i32.const 26)))
                (v128.or (i32x4.shr_u (local.get $e) (i32.const 11)) (i32x4.shl (local.get $e) (i32.const 21))))
              (v128.or (i32x4.shr_u (local.get $e) (i32.const 25)) (i32x4.shl (local.get $e) (i32.const 7))))))
        ;; maj(a, b, c) + the sum of a rotated by 2, 13 and 22
        (local.set $y
          (i32x4.add
            (v128.bitselect (local.get $c) (local.get $b) (v128.xor (local.get $a) (local.get $b)))
            (v128.xor
              (v128.xor
                (v128.or (i32x4.shr_u (local.get $a) (i32.const 2)) (i32x4.shl (local.get $a) (i32.const 30)))
                (v128.or (i32x4.shr_u (local.get $a) (i32.const 13)) (i32x4.shl (local.get $a) (i32.const 19))))
              (v128.or (i32x4.shr_u (local.get $a) (i32.const 22)) (i32x4.shl (local.get $a) (i32.const 10))))))
        (local.set $h (local.get $g))
        (local.set $g (local.get $f))
        (local.set $f (local.get $e))
        (local.set $e (i32x4.add (local.get $d) (local.get $x)))
        (local.set $d (local.get $c))
        (local.set $c (local.get $b))
        (local.set $b (local.get $a))
        (local.set $a (i32x4.add (local.get $x) (local.get $y)))
        (local.set $round (i32.add (local.get $round) (i32.const 16)))
        (br_if $compress (i32.lt_u (local.get $round) (i32.const 976))))

      (if (v128.any_true (i32x4.eq (local.get $e) (i32x4.splat (local.get $wanted))))
        (then (return (i32.const 1))))
      (local.set $digits (i32.add (local.get $digits) (i32.const 32)))
      (br_if $nextFour (i32.lt_u (local.get $digits) (i32.const 3008))))
    (i32.const 0)))
