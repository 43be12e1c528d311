#!/bin/sh
# Networks: Banyan's speed, the processor's peak, and PyTorch's speed, in one run.
#
#     tools/results/nn_speed.sh [BANYAN]
set -eu
banyan=${1:-build/banyan}
arch=channels=128,blocks=2,norm=batch,head-norm=on,pool=0,policy-head=full,policy-channels=2
arch=$arch,value-channels=1,value-hidden=128,owner=off,score=off
"$banyan" bench nn
for type in fp32 bf16; do
    "$banyan" net bench --game mushroom --arch $arch --batch 32 --type $type --backend onednn |
        sed -n "s/^forward/whole network, $type  forward/p"
done
for type in fp32 bf16; do
    "$banyan" net bench --game mushroom --arch $arch --batch 256 --type $type --backend onednn |
        sed -n "s/^gradients/whole network, $type  gradients/p"
done
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    OMP_WAIT_POLICY=passive tools/pytorch-net bench planes=13,height=10,width=17,actions=936,$arch
else
    echo "no PyTorch here"
fi
